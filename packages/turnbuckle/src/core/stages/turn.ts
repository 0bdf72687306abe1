import { beginAgain } from '../begin-again.ts'
import { endAsNoted } from '../ending.ts'
import type { Frame } from '../frame.ts'
import { loop } from '../loop.ts'
import { asMessage, textOf } from '../message.ts'
import { isPromise } from '../ports.ts'
import { resultOf } from '../result.ts'
import { openNext } from '../sequence.ts'
import { settleTurn } from '../settle.ts'
import type { Stage } from '../stage.ts'
import type { TurnResult } from '../turn.ts'

const isReply = (value: unknown): boolean => typeof value === 'object' && value !== null && 'content' in value

/** One user message worked to its end. */
export const turn: Stage = {
  name: 'turn',
  description: 'work one user message to its end',
  longRunning: true,
  async body(frame, message) {
    const { run } = frame
    run.message = asMessage(message, 'user', run.message.id)
    beginAgain(run)
    try {
      await walkTurn(frame)
      endAsNoted(run)
      await settleTurn(frame)
      return resultOf(run)
    } finally {
      // What was in flight has landed; where the loop broke it is still to be settled.
      if (run.ending) run.draft = run.newDraft()
    }
  },
  read: (value, { run, result }) => {
    const now = (result as TurnResult | undefined) ?? resultOf(run)
    if (typeof value === 'string' || isReply(value))
      return { ...now, text: textOf(asMessage(value, 'assistant', run.id)) }
    return { ...now, ...(value as Partial<TurnResult>) }
  },
}

async function walkTurn(frame: Frame): Promise<void> {
  const { run } = frame
  let previous: unknown
  for (const stage of run.pipeline.turn) {
    const opened = stage.name === 'step' ? loop(frame, stage) : openNext(stage, frame, previous)
    previous = isPromise(opened) ? await opened : opened
    if (run.halted || (run.ending && run.ending.status !== 'completed')) return
  }
}
