import { isTurnbuckleError } from '../../base/is-turnbuckle-error.ts'
import type { Happening } from './conversation-lifecycle.ts'

/** Codes of a turn that another process works on, has ended, or has deleted. */
const endsElsewhere = ['turn.ended', 'store.fenced', 'conversation.locked', 'conversation.deleted']

export interface LostTurn {
  readonly happening: Happening
  /** The turn is over for its followers: no other process goes on with it now. */
  readonly isEnd: boolean
  /** The turn cannot go on here for as long as the log stays as it is. */
  readonly isStuck: boolean
}

/** Reads from a turn's error why the log has no end of the turn. `started`: the log has its beginning. */
export function lostTurn(error: unknown, started: boolean): LostTurn {
  const code = isTurnbuckleError(error) ? error.code : ''
  if (code === 'conversation.locked') return { happening: 'writeRefused', isEnd: false, isStuck: false }
  if (endsElsewhere.includes(code)) return { happening: 'writeFailed', isEnd: false, isStuck: false }
  if (!mayGoOnLater(error)) return { happening: 'writeFailed', isEnd: true, isStuck: true }
  return { happening: started ? 'turnCutOff' : 'writeFailed', isEnd: true, isStuck: false }
}

/** A store fails now and then; a tool or model that the agent lacks is still lacking at the next try. */
const mayGoOnLater = (error: unknown): boolean =>
  !isTurnbuckleError(error) || (error.kind === 'store' && error.code !== 'store.damaged')
