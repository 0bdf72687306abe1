import type { Pace } from '../feeds/event-feed.ts'
import { Outbox } from './outbox.ts'

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
 * A stream of lines for one reader for which at most `limit` bytes wait. A reader that does not read is cut off; it comes
 * back with the sequence number of the last event it saw. While nothing is told, a comment says that the stream is alive.
 */
export function boundedStream(
  limit: number,
  { onEnd: onOver, onLeft, destroy }: StreamHooks,
): { stream: ReadableStream<Uint8Array>; write(text: string): void; end(): void; pace: Pace } {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let taken: (() => void)[] = []
  let isCutOff = false
  const onEnd = () => {
    clearInterval(keepAlive)
    onOver()
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      pull() {
        const waiting = taken
        taken = []
        for (const tell of waiting) tell()
      },
      cancel() {
        outbox.close()
        if (!isCutOff) onLeft?.()
        onEnd()
      },
    },
    { highWaterMark: readAhead, size: chunk => chunk?.byteLength ?? 0 },
  )
  const outbox = new Outbox(limit, {
    get waiting() {
      return readAhead - (controller?.desiredSize ?? readAhead)
    },
    give(piece, _isLast, tell) {
      if (tell) taken.push(tell)
      controller?.enqueue(encoder.encode(piece))
    },
    whenTaken: tell => taken.push(tell),
    end() {
      controller?.close()
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

/** Headers of an answer that is a stream of events. */
export const eventStream: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  connection: 'close',
}
