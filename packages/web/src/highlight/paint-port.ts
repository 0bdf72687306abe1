import type { PaintAnswer } from './paint-messages.ts'
import type { PaintPort } from './painted-block.ts'

let port: PaintPort | undefined

/** The worker with Shiki, started with the first block of code that has a grammar. */
export function paintPort(): PaintPort {
  port ??= startWorker()
  return port
}

function startWorker(): PaintPort {
  const worker = new Worker(new URL('./paint-worker.ts', import.meta.url), { type: 'module' })
  const receivers = new Map<number, (answer: PaintAnswer) => void>()
  worker.addEventListener('message', ({ data }: MessageEvent<PaintAnswer>) => receivers.get(data.block)?.(data))
  return {
    send: order => worker.postMessage(order),
    listen(block, receive) {
      receivers.set(block, receive)
      return () => receivers.delete(block)
    },
  }
}
