import type { FromWorker, ToWorker } from './protocol.ts'
import { Run } from './run.ts'
import { tellPrints } from './tell-prints.ts'

const page = self as unknown as {
  postMessage(message: FromWorker): void
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void
}

/** Taken away before a visitor's code runs: the code of a link that somebody sent cannot call home. */
const network = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'importScripts', 'indexedDB']
for (const name of network)
  Object.defineProperty(self, name, {
    get() {
      throw new Error(`There is no ${name} in the playground: nothing leaves this page.`)
    },
  })

const run = new Run(told => page.postMessage({ type: 'told', told }))
tellPrints(text => run.print(text))
self.addEventListener('error', event => {
  // Told here, and not by the page as a worker that could not be loaded.
  event.preventDefault()
  run.report(event.error)
})
self.addEventListener('unhandledrejection', ({ reason }) => run.report(reason))
page.addEventListener('message', ({ data }) => {
  if (data.type === 'ping') page.postMessage({ type: 'pong' })
  else run.handle(data)
})
page.postMessage({ type: 'ready' })
