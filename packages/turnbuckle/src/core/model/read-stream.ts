import type { AttemptCancel } from '../async/attempt-cancel.ts'
import { none } from '../base/lists.ts'
import type { Message } from '../base/message.ts'
import { abandon, type Chunk } from '../base/ports.ts'
import type { HookEntry } from '../hooks/hook-set.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { ModelAttempt } from './model-attempt.ts'
import { passLostEnd, passMark, passThrough } from './pass-chunks.ts'

type Stream = AsyncIterable<Chunk | readonly Chunk[]>

/** A reading of a model's stream. A wrap may have two attempts at a stage under way, each with its own cancel. */
interface Reading {
  readonly frame: StageFrame
  readonly cancel: AttemptCancel | undefined
  readonly attempt: ModelAttempt
}

/** Reads a model's stream into an attempt. Rejects at once on an interrupt, also when the model does not listen. */
export function readStream(frame: StageFrame, stream: Stream, attempt: ModelAttempt): Promise<Message> {
  const { turn, cancel } = frame
  const reading = readToEnd({ frame, cancel, attempt }, stream)
  return turn.time.waits.race(cancel ? cancel.race(reading) : reading)
}

/** Takes chunks until the model is done, or something has ended the step, the turn or the attempt. */
async function readToEnd(reading: Reading, stream: Stream): Promise<Message> {
  const { attempt, cancel, frame } = reading
  // A hook's own model call is shown to nobody.
  const hooks = attempt.silent ? none : frame.hooks.onChunk
  try {
    if (hooks.length) attempt.take(await passMark(frame, hooks, { type: 'start', attempt: attempt.number }))
    const iterator = stream[Symbol.asyncIterator]()
    let read = await iterator.next()
    while (!read.done && !isEnded(reading)) {
      hear(reading, read.value)
      if (hooks.length) await takeThroughHooks(reading, hooks, read.value)
      else attempt.take(read.value)
      if (!isEnded(reading)) read = await iterator.next()
    }
    if (isEnded(reading)) cutOff(iterator, attempt)
    if (hooks.length) await endThroughHooks(reading, hooks)
  } catch (error) {
    await passLostEnd(frame, hooks)
    if (frame.turn.phase !== 'parked') attempt.fail(error)
    throw error
  }
  if (frame.turn.phase !== 'parked') attempt.close(cancel?.ended)
  return attempt.message()
}

/** The stream is over: each onChunk hook gives the chunks that it held back, to the hooks behind it. Of an attempt that was cut nothing more is shown. */
async function endThroughHooks(reading: Reading, hooks: readonly HookEntry[]): Promise<void> {
  const { attempt, frame } = reading
  if (isEnded(reading)) await passLostEnd(frame, hooks)
  else attempt.take(await passMark(frame, hooks, { type: 'end' }))
}

function cutOff(iterator: AsyncIterator<unknown>, attempt: ModelAttempt): void {
  abandon(iterator)
  attempt.cutOff()
}

async function takeThroughHooks(
  { attempt, cancel, frame }: Reading,
  hooks: readonly HookEntry[],
  value: Chunk | readonly Chunk[],
): Promise<void> {
  const chunks = Array.isArray(value) ? value.flatMap(splitRefusal) : splitRefusal(value as Chunk)
  const shown = await passThrough(frame, hooks, chunks, 0)
  if (!frame.turn.over && !cancel?.ended) attempt.take(shown)
}

const isEnded = ({ frame: { turn }, cancel }: Reading): boolean => turn.halting || turn.over || cancel?.ended === true

/** Tells the limits on silence that the model is there. */
function hear({ frame, cancel }: Reading, value: Chunk | readonly Chunk[]): void {
  if (cancel && holdsData(value)) cancel.hear(frame.turn.time.clock.elapsed())
}
/** False for warnings and empty pieces, which providers send to keep a connection open: a limit on silence does not count them. */
const holdsData = (value: Chunk | readonly Chunk[]): boolean =>
  Array.isArray(value) ? value.some(isData) : isData(value as Chunk)
const isData = (chunk: Chunk): boolean =>
  chunk.type === 'text' || chunk.type === 'reasoning' ? chunk.text !== '' : chunk.type !== 'warning'

/** The words of a refusal are text like any other, for whoever looks at text. */
const splitRefusal = (chunk: Chunk): Chunk[] =>
  chunk.type === 'finish' && chunk.text
    ? [
        { type: 'text', text: chunk.text },
        { type: 'finish', reason: chunk.reason },
      ]
    : [chunk]
