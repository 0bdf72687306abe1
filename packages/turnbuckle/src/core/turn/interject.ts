import { demand, TurnbuckleError } from '../base/errors.ts'
import { looksFirst } from '../hooks/hook-set.ts'
import type { Interjection } from '../state/turn-people.ts'
import type { TurnState } from '../types/turn-state.ts'

/** Says something to a running turn: the model hears it after the batch of calls that runs now. */
export function interject(turn: TurnState, said: Interjection): void {
  if (turn.people.closed || turn.over)
    throw new TurnbuckleError('turn.ended', 'The turn is over: send the text as a new turn.')
  demand(said.text, 'message.empty', 'There is nothing to say.')
  turn.whenBegun(() => queueUp(turn, said))
}

/** An interjection that hooks look at first (a redactor) is told once they have. */
function queueUp(turn: TurnState, said: Interjection): void {
  turn.people.queueUp(said)
  if (!isLookedAt(turn, said)) return void turn.tell({ type: 'interjection.queued', ...said })
  turn.journal?.note(turn.id, { note: 'said', ...said })
  turn.tell({ type: 'interjection.queued', ...said, text: '', withheld: true })
}

/** Takes back the last interjection of a person that is not recorded yet, and gives its text. */
export function takeBack(turn: TurnState): string | undefined {
  // What a turn has not heard when it ends goes on to the next.
  const said = turn.over ? undefined : turn.people.takeLast()
  if (!said) return undefined
  turn.tell({ type: 'interjection.withdrawn', ...(isLookedAt(turn, said) ? { text: '', withheld: true } : said) })
  return said.text
}

/** True where hooks see an interjection before it is recorded: of a tool's or a hook's also the guards of texts. */
export function isLookedAt(turn: TurnState, { by }: Interjection): boolean {
  const append = turn.hooks.chain('append')
  return looksFirst(append) || (by !== undefined && append.onChunk.some(({ owner }) => owner.guard))
}
