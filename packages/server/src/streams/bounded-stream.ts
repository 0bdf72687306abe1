import type { Pace } from '../feeds/event-feed.ts'

/** Milliseconds after which a reader that takes none of the log's earlier events is cut off. */
export const patience = 30_000

/**
 * A stream of lines for one reader that holds at most `limit` bytes. A reader that does not read is cut off; it comes
 * back with the sequence number of the last event it saw.
 */
export function boundedStream(
  limit: number,
  onEnd: () => void,
): { stream: ReadableStream<Uint8Array>; write(text: string): void; end(): void; pace: Pace } {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let over = false
  let goOn: (() => void) | undefined
  const end = (close: () => void) => {
    if (over) return
    over = true
    close()
    onEnd()
    goOn?.()
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      pull: () => goOn?.(),
      cancel: () => end(() => {}),
    },
    { highWaterMark: limit, size: chunk => chunk?.byteLength ?? 0 },
  )
  return {
    stream,
    write(text) {
      if (over) return
      const bytes = encoder.encode(text)
      if ((controller?.desiredSize ?? 0) < Math.min(bytes.byteLength, limit)) end(() => controller?.close())
      else controller?.enqueue(bytes)
    },
    end: () => end(() => controller?.close()),
    pace() {
      if (over || (controller?.desiredSize ?? 0) > limit / 2) return undefined
      return new Promise(resolve => {
        const timer = setTimeout(() => end(() => controller?.close()), patience)
        goOn = () => {
          clearTimeout(timer)
          goOn = undefined
          resolve()
        }
      })
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
