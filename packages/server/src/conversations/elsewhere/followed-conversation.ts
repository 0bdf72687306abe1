import type { Turn } from 'turnbuckle'
import type { WireTurn } from 'turnbuckle/client'

/** An open conversation, as far as other processes that write to its log are concerned. */
export interface FollowedConversation {
  readonly id: string
  readonly log: SharedLog
  readonly isWatched: boolean
  /** An answer given here belongs to a turn that no process works on yet. */
  readonly answerWaits: boolean
  setAnswerWaits(waits: boolean): void
}

/** A log that other processes may write to. */
export interface SharedLog {
  readonly seq: number
  readonly begunAt: number | undefined
  setBegunAt(at: number | undefined): void
  /** Whether a living process has the lease. */
  setHeld(isHeld: boolean): void
  /** True while this process is the one that writes. */
  readonly isWriting: boolean
  /** True where a turn cannot go on here for as long as the log has no more events. */
  readonly isStuck: boolean
  /** True where the handle is of no use any more, or turns go on once a new one is read. */
  readonly needsHandle: boolean
  /** Unfinished turns of the log that do not run here. */
  readonly turnsElsewhere: readonly WireTurn[]
  /** Takes in events of other processes, up to a sequence number at least. */
  readOthers(seq: number): Promise<void>
  adopt(turn: Turn): void
  happen(happening: 'fellBehind' | 'turnsAbandoned'): void
}

/** The list of open conversations, as far as other processes change it. */
export interface OpenList {
  get(id: string): FollowedConversation | undefined
  readonly all: readonly FollowedConversation[]
  /** Opens a conversation, or reads the rest of its log where it needs that. */
  load(id: string): Promise<unknown>
  /** Closes a conversation that another process has deleted. */
  drop(id: string): void
  /** Tells that a conversation has another summary. */
  tellChanged(id: string): void
}
