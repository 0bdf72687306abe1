import type { TurnResult } from '../agent/turn.ts'
import { TurnbuckleError } from '../base/errors.ts'
import { asMessage } from '../base/message.ts'
import type { UnfinishedTurn } from '../durable/journal-port.ts'
import { startedEvent } from '../events/shared-conversation.ts'
import { closeCalls } from '../history/close-calls.ts'
import { leaveOpen, perform } from '../hooks/open-stage.ts'
import { StageFrame } from '../hooks/stage-frame.ts'
import { conclude } from './end-turn.ts'
import { abandonTurn } from './park-turn.ts'
import { settleTurn } from './settle-turn.ts'
import { endAsNoted } from './turn-ending.ts'
import { resultOf } from './turn-result.ts'
import type { TurnState } from './turn-state.ts'

/** Works a turn to its end. Never throws: whatever goes wrong is the turn's outcome. */
export async function work(turn: TurnState): Promise<void> {
  const root = new StageFrame(turn, turn.pipeline.part('turn'), undefined, turn.message)
  turn.root = root
  try {
    if (turn.journal) await begin(turn)
    if (!turn.over) await perform(root)
    if (turn.past && turn.interrupted) await leaveOpen(turn)
    if (!turn.over) conclude(turn, await outcome(root))
  } catch (error) {
    if (turn.early) {
      // It may be resumed when the reason is gone.
      if (turn.past && !turn.over) turn.conversation.unfinished.set(turn.id, turn.past)
      abandonTurn(turn, error)
    }
    if (!turn.over) {
      turn.ending = { status: 'failed', reason: String(error), by: 'turn', error }
      conclude(turn, resultOf(turn))
    }
  }
  if (!turn.parked) turn.release()
}

/** On a log: becomes the writer, and what was sent is durable before anything is done about it. */
async function begin(turn: TurnState): Promise<void> {
  const { journal, past, message } = turn
  if (!journal) return
  await journal.open()
  await journal.readAll()
  if (turn.over) return
  // Another process may have moved on, and ended in the middle of calls.
  if (!past && turn.origin) turn.tip = turn.origin = closeCalls(turn.conversation, turn.origin)
  turn.conversation.aside?.keepMadeUp()
  // Those of this turn alone, and of whoever called this sub-agent, protect it as well.
  const { guards } = turn.hooks
  if (past) {
    const missing = past.guards.filter(name => !guards.includes(name))
    if (missing.length)
      throw new TurnbuckleError(
        'guard.missing',
        `The turn was protected by ${missing.join(', ')}. Add it again to resume.`,
      )
    withdrawAbandoned(turn, past)
  } else {
    turn.emit(startedEvent(turn))
    journal.note(turn.id, { note: 'turn', message, parentId: turn.origin?.id, guards })
  }
  turn.begun()
  await journal.barrier()
}

/** What was shown of it stays in the log: it is seen until the model has spoken again. */
function withdrawAbandoned(turn: TurnState, { abandoned, partial }: UnfinishedTurn): void {
  for (const messageId of abandoned) {
    const text = messageId === partial?.messageId ? partial.text : ''
    turn.emit({ type: 'message.discarded', messageId, reason: 'the process ended', ...(text ? { text } : {}) })
  }
}

async function outcome(root: StageFrame): Promise<TurnResult> {
  const { turn } = root
  if (!turn.ending) return withoutLoop(root)
  const result = (root.result as TurnResult | undefined) ?? resultOf(turn)
  // Once it has an end only a failure outranks that: of an after hook of the turn, or of what recorded the end.
  const failed = turn.noted.some(({ directive }) => directive.type === 'fail')
  if (!failed || turn.ending.status === 'failed') return result
  turn.ending = undefined
  endAsNoted(turn)
  const { status, reason, by, error } = resultOf(turn)
  return { ...result, status, reason, by, error }
}

/** A hook has answered or ended the turn, or its body broke. */
async function withoutLoop(root: StageFrame): Promise<TurnResult> {
  const { turn, decided, status } = root
  turn.message = asMessage(root.input, 'user', turn.message.id)
  endAsNoted(turn)
  if (root.result !== undefined && (status === 'done' || decided?.directive === 'skip')) {
    const { text } = root.result as TurnResult
    turn.ending = { status: 'completed', reason: 'skip', by: decided?.by ?? 'turn', say: text }
  }
  await settleTurn(root)
  return resultOf(turn)
}
