import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Agent } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import { mountAgUi } from './ag-ui.ts'
import { createApp } from './app.ts'
import { createHandlers, type Permissions } from './desk.ts'
import { Gate, inUrl, isWildcard } from './gate.ts'
import { Inspector } from './inspector.ts'
import { Library } from './library.ts'
import { createPeople } from './people.ts'
import { mountSocket } from './socket.ts'
import { mountSse } from './sse.ts'
import { mountWeb } from './web-files.ts'

export interface ServerOptions {
  readonly agent: Agent
  /** The agent's own store. Without one, conversations live as long as the server. */
  readonly store?: ConversationStore
  /** 127.0.0.1 by default. */
  readonly host?: string
  /** 0, the default, picks a free one. */
  readonly port?: number
  /** Further names that a Host header may have: `box.local` and `192.168.1.7` on a local network, `chat.example.org` behind a proxy. */
  readonly hosts?: readonly string[]
  /** One person's token. Without any token a random one is made. */
  readonly token?: string | undefined
  /** Several people's: `alice:…,bob:…`. */
  readonly tokens?: string | undefined
  readonly permissions?: Permissions
  /** The folder of the built web app. */
  readonly web?: string | undefined
  /** Bytes that may wait for one slow client. One MiB by default. */
  readonly bufferLimit?: number
  /** How many conversations stay in memory although nobody follows them and nothing runs. 100 by default. */
  readonly keptIdle?: number
  /** Told of errors that are the server's own. */
  readonly onError?: (error: unknown) => void
}

export interface Server {
  readonly url: string
  readonly port: number
  readonly token: string
  /** Lets clients go. Turns are not cancelled: with a store, the next server goes on with them. */
  close(): Promise<void>
}

/**
 * Serves an agent's conversations over HTTP, server-sent events and WebSocket. Resolves once it listens.
 *
 * ```ts
 * const server = await createServer({ agent, port: 3000 })
 * console.log(`${server.url}/#token=${server.token}`)
 * ```
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const {
    agent,
    host = '127.0.0.1',
    port = 0,
    hosts = [],
    bufferLimit = 1024 * 1024,
    keptIdle = 100,
    onError = () => {},
  } = options
  const people = createPeople(options)
  const gate = new Gate(people, hosts)
  const library = new Library(agent, options.store, keptIdle)
  await library.findLeft()
  const inspector = inspectorOf(library)
  const forget = agent.use(inspector.middleware)
  const handlers = createHandlers({ agent, library, inspector, permissions: options.permissions })
  const app = createApp(gate, handlers, onError)
  const streams = new Set<() => void>()
  mountSse(app, library, streams, bufferLimit)
  mountAgUi(app, library, bufferLimit)
  if (options.web) mountWeb(app, options.web)
  const server = createHttpServer(getRequestListener(app.fetch))
  const closeSockets = mountSocket(server, { gate, library, handlers, limit: bufferLimit, report: onError })
  const bound = await listen(server, host, port).catch(error => {
    closeSockets()
    forget()
    throw error
  })
  gate.allow(host, bound)
  // Beside: who comes meanwhile is served, and does not wait for others' turns.
  void library.resume(onError)
  return {
    // A wildcard address is no name: it is reached under this machine's own.
    url: `http://${isWildcard(host) ? '127.0.0.1' : inUrl(host)}:${bound}`,
    port: bound,
    token: people.token,
    async close() {
      library.close()
      const closed = closeConnections(server)
      closeSockets()
      for (const end of streams) end()
      await closed
      forget()
    },
  }
}

/** What it sees goes to whoever follows, and to the store. */
function inspectorOf(library: Library): Inspector {
  const inspector: Inspector = new Inspector((turnId, news) => {
    const keeping = library.trace(turnId, news, inspector.trace(turnId))
    // A store that fails costs only that the trace is gone with this process.
    keeping?.then(
      () => inspector.forget(turnId),
      () => {},
    )
  })
  return inspector
}

/** Answers that are under way have a moment to end. */
async function closeConnections(server: HttpServer): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  const hard = setTimeout(() => server.closeAllConnections(), 1500)
  await new Promise(resolve => server.close(resolve))
  clearInterval(idle)
  clearTimeout(hard)
}

function listen(server: HttpServer, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
