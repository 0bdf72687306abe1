import type { Hono } from 'hono'
import { type Event, TurnbuckleError } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'
import type { Visit } from './app.ts'
import { streams } from './contract.ts'
import type { Pace } from './feed.ts'
import type { Library } from './library.ts'
import { lineOf } from './wire.ts'

const keepAliveMs = 15_000
/** Who reads nothing for so long while it is told what was before is cut off. */
export const patience = 30_000

/** Lines for one reader, bounded: who does not read is cut off, and comes back with the last number it saw. */
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

export const eventStream: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  connection: 'close',
}

const format = (event: Event | WireEvent): string => {
  const { seq } = event as { seq?: number }
  return `${seq === undefined || event.type === 'resync' ? '' : `id: ${seq}\n`}data: ${lineOf(event)}\n\n`
}

/** Server-sent events of one conversation, from `after` or `Last-Event-ID` on. */
export function mountSse(app: Hono<Visit>, library: Library, open: Set<() => void>, limit: number): void {
  app.get(streams.followEvents.path, async c => {
    const after = numberOf(c.req.header('last-event-id') ?? c.req.query('after') ?? '0')
    const room = await library.open(c.get('person'), c.req.param('id'))
    const { stream, write, end, pace } = boundedStream(limit, () => {
      clearInterval(timer)
      leave()
      open.delete(end)
    })
    let leave: () => void = () => {}
    const timer = setInterval(() => write(': still here\n\n'), keepAliveMs)
    open.add(end)
    write('retry: 1000\n\n')
    const tell = (event: Event | WireEvent) => {
      if (!event.type.startsWith('trace.')) write(format(event))
      if (event.type === 'conversation.deleted') end()
    }
    leave = room.follow(after, tell, pace)
    return c.body(stream, 200, { ...eventStream })
  })
}

function numberOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new TurnbuckleError('query.invalid', 'after: a sequence number is expected.')
}
