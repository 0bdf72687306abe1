import type { AttemptCancel } from '../async/attempt-cancel.ts'
import type { Message } from '../base/message.ts'
import { abandon, type Chunk } from '../base/ports.ts'
import { seal } from '../history/tree.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { CallNames } from './call-names.ts'
import { ChunkHooks } from './chunk-hooks.ts'
import type { ModelAttempt } from './model-attempt.ts'

type Stream = AsyncIterable<Chunk | readonly Chunk[]>

/** A reading of a model's stream. A wrap may have two attempts at a stage under way, each with its own cancel. */
interface Reading {
  readonly frame: StageFrame
  readonly cancel: AttemptCancel | undefined
  readonly attempt: ModelAttempt
  /** Nothing where nobody looks at chunks; a hook's own model call is shown to nobody. */
  readonly hooks: ChunkHooks | undefined
  /** Where hooks look at chunks: the ids that they know calls by. */
  readonly names: CallNames | undefined
}

/** Reads a model's stream into an attempt. Rejects at once on an interrupt, also when the model does not listen. */
export function readStream(frame: StageFrame, stream: Stream, attempt: ModelAttempt): Promise<Message> {
  const { turn, cancel } = frame
  const { onChunk } = frame.hooks
  const hooks = attempt.silent || !onChunk.length ? undefined : new ChunkHooks(frame, onChunk)
  const names = hooks && new CallNames(turn)
  const reply = readToEnd({ frame, cancel, attempt, hooks, names }, stream)
  const limited = turn.time.untilInterrupted(cancel ? cancel.race(reply) : reply)
  return hooks ? untilLost(limited, hooks, cancel) : limited
}

/**
 * The reply. Where the attempt is ended while the model says nothing, hooks hear of it here: its stream may never come back. A hook that
 * hangs then must not keep a time limit from ending the attempt; after an interrupt there is a deadline for it.
 */
async function untilLost(
  reply: Promise<Message>,
  hooks: ChunkHooks,
  cancel: AttemptCancel | undefined,
): Promise<Message> {
  try {
    return await reply
  } catch (error) {
    const told = hooks.lose()
    if (!cancel?.ended) await told
    throw error
  }
}

/** Takes chunks until the model is done, or something has ended the step, the turn or the attempt. */
async function readToEnd(reading: Reading, stream: Stream): Promise<Message> {
  const { attempt, cancel, frame, hooks } = reading
  try {
    if (hooks) attempt.take(await hooks.begin(attempt.number))
    const iterator = stream[Symbol.asyncIterator]()
    let read = await iterator.next()
    while (!read.done && !isEnded(reading)) {
      hear(reading, read.value)
      if (hooks) await takeThroughHooks(reading, hooks, read.value)
      else attempt.take(read.value)
      if (!isEnded(reading)) read = await iterator.next()
    }
    if (isEnded(reading)) cutOff(iterator, attempt)
    if (hooks) await endThroughHooks(reading, hooks)
  } catch (error) {
    await hooks?.lose()
    if (frame.turn.phase !== 'parked') attempt.fail(error)
    throw error
  }
  if (frame.turn.phase !== 'parked') attempt.close(cancel?.ended)
  const reply = attempt.message()
  // Guards have seen this text: a wrap that changes it in place would show another.
  return hooks || frame.hooks.wraps.length ? seal(reply) : reply
}

/** The stream is over: each onChunk hook gives the chunks that it held back, to the hooks behind it. Of an attempt that was cut nothing more is shown. */
async function endThroughHooks(reading: Reading, hooks: ChunkHooks): Promise<void> {
  if (isEnded(reading)) await hooks.lose()
  else reading.attempt.take(await hooks.end())
}

function cutOff(iterator: AsyncIterator<unknown>, attempt: ModelAttempt): void {
  abandon(iterator)
  attempt.cutOff()
}

async function takeThroughHooks(
  { attempt, cancel, frame, names }: Reading,
  hooks: ChunkHooks,
  value: Chunk | readonly Chunk[],
): Promise<void> {
  const chunks = Array.isArray(value) ? value.flatMap(splitRefusal) : splitRefusal(value as Chunk)
  const shown = await hooks.pass(names ? chunks.map(chunk => names.name(chunk)) : chunks)
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
