import type { Pace } from '../feeds/paced-follower.ts'
import { Outbox, type ReaderLimit } from './outbox.ts'

/** Bytes that the connection may read ahead of its socket. */
const readAhead = 64 * 1024

/** A proxy takes a connection that says nothing for one that is dead, and closes it. */
const keepAliveMs = 15_000

interface StreamHooks {
  onEnd(): void
  /** The reader has closed the connection; called before `onEnd`. Not for one that was cut off here. */
  onLeft?(): void
  destroy(): void
}

/**
 * A stream of lines for one reader for which at most `limit.bytes` wait. A reader that does not read is cut off; it comes
 * back with the sequence number of the last event it saw. While nothing is told, a comment says that the stream is alive.
 */
export function boundedStream(
  limit: ReaderLimit,
  { onEnd: onOver, onLeft, destroy }: StreamHooks,
): { stream: ReadableStream<Uint8Array>; write(text: string): void; end(): void; pace: Required<Pace> } {
  let isCutOff = false
  const onEnd = () => {
    clearInterval(keepAlive)
    onOver()
  }
  const { stream, ...sink } = openPieces(() => {
    outbox.close()
    if (!isCutOff) onLeft?.()
    onEnd()
  })
  const outbox = new Outbox(limit, {
    get waiting() {
      return sink.waiting()
    },
    give: (piece, _isLast, tell) => sink.give(piece, tell),
    whenTaken: sink.whenTaken,
    end() {
      sink.close()
      onEnd()
    },
    // The connection goes with all that waits for it: a reader that has stalled would hold it for ever.
    cutOff() {
      isCutOff = true
      onEnd()
      destroy()
    },
  })
  const keepAlive = setInterval(() => outbox.send(': still here\n\n'), keepAliveMs)
  return { stream, write: text => outbox.send(text), end: () => outbox.end(), pace: outbox.pace }
}

/** A stream of bytes that pieces of text are given to, and that tells when its reader has taken them. */
function openPieces(onCancel: () => void) {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let taken: (() => void)[] = []
  /** Text that was given in this tick. The events of one commit are one chunk: each takes its way through the stream and the socket. */
  let given = ''
  let givenBytes = 0
  const takeGiven = (): string => {
    const text = given
    given = ''
    givenBytes = 0
    return text
  }
  const enqueue = () => {
    const text = takeGiven()
    if (text) controller?.enqueue(encoder.encode(text))
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own
      },
      pull() {
        const waiting = taken
        taken = []
        for (const tell of waiting) tell()
      },
      cancel() {
        takeGiven()
        onCancel()
      },
    },
    { highWaterMark: readAhead, size: chunk => chunk?.byteLength ?? 0 },
  )
  return {
    stream,
    waiting: () => readAhead - (controller?.desiredSize ?? readAhead) + givenBytes,
    whenTaken: (tell: () => void) => void taken.push(tell),
    give(piece: string, tell: (() => void) | undefined) {
      if (tell) taken.push(tell)
      if (!given) queueMicrotask(enqueue)
      given += piece
      givenBytes += Buffer.byteLength(piece)
    },
    close() {
      enqueue()
      controller?.close()
    },
  }
}

/** Headers of an answer that is a stream of events. */
export const eventStream: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  connection: 'close',
}
