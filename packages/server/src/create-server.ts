import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Agent } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import { AccessCheck, inUrl, isWildcard } from './access/access-check.ts'
import { AuditList } from './access/audit-list.ts'
import { keepRightsFresh } from './access/keep-rights-fresh.ts'
import { LiveConnections } from './access/live-connections.ts'
import { MiddlewareSwitches } from './access/middleware-switches.ts'
import { People } from './access/people.ts'
import type { NamedPerson } from './access/read-tokens.ts'
import { Shares } from './access/shares.ts'
import type { Permissions } from './access/stored-permissions.ts'
import { mountAgUi } from './ag-ui/ag-ui.ts'
import { ConversationService } from './conversations/conversation-service.ts'
import { createApp } from './http/app.ts'
import { createCallHandlers } from './http/call-handlers.ts'
import { mountWebFiles } from './http/web-files.ts'
import { Inspector } from './inspector/inspector.ts'
import { mountSse } from './streams/sse.ts'
import { mountWebsocket } from './streams/websocket.ts'

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
  /** The origin of a proxy that ends TLS, `https://chat.example.org`: with it, pages of no other origin but loopback's may ask. */
  readonly origin?: string | undefined
  /** The token of a single person. Without any token a random one is made. */
  readonly token?: string | undefined
  /** Several people's tokens and roles: `alice:…:owner,bob:…`. Without a role: member, and the first of all owner. */
  readonly tokens?: string | undefined
  /** Further people, behind those of `tokens`. */
  readonly people?: readonly NamedPerson[] | undefined
  readonly permissions?: Permissions
  /** The folder of the built web app. */
  readonly web?: string | undefined
  /** Bytes that may wait for one slow client. One MiB by default. */
  readonly bufferLimit?: number
  /** The number of conversations that stay in memory although nobody follows them and no turn runs. 100 by default. */
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
    store,
    permissions,
    onError = () => {},
  } = options
  const people = new People(options, store)
  const access = new AccessCheck(people, hosts, options.origin)
  const [shares, audit, connections] = [new Shares(store), new AuditList(store), new LiveConnections()]
  const stopLooking = await keepRightsFresh([people, shares], connections, onError)
  const conversations = new ConversationService({ agent, store, keptIdle, roleOf: people.roleOf, shares, audit })
  await conversations.findLeftTurns()
  const inspector = inspectorOf(conversations)
  const forget = agent.use(inspector.middleware)
  const switches = new MiddlewareSwitches(agent, store)
  await switches.restore()
  const parts = { agent, conversations, inspector, permissions, switches, people, audit, connections }
  const handlers = createCallHandlers({ ...parts, roleOf: people.roleOf })
  const app = createApp(access, handlers, onError)
  const streams = new Set<() => void>()
  const streaming = { access, conversations, connections, limit: bufferLimit }
  mountSse(app, { ...streaming, open: streams })
  mountAgUi(app, streaming)
  if (options.web) mountWebFiles(app, options.web)
  const server = createHttpServer(getRequestListener(app.fetch))
  const closeSockets = mountWebsocket(server, { ...streaming, handlers, report: onError })
  const bound = await listen(server, host, port).catch(error => {
    closeSockets()
    stopLooking()
    forget()
    throw error
  })
  access.allow(host, bound)
  // Not awaited: requests are served while the turns that the last process left go on.
  void conversations.resumeLeftTurns(onError)
  return {
    url: urlOf(host, bound),
    port: bound,
    token: people.token,
    async close() {
      stopLooking()
      conversations.close()
      const closed = closeConnections(server)
      closeSockets()
      for (const end of streams) end()
      await closed
      forget()
    },
  }
}

/** A wildcard address is no host name: the server is then reached under the loopback address. */
const urlOf = (host: string, port: number): string => `http://${isWildcard(host) ? '127.0.0.1' : inUrl(host)}:${port}`

/** An inspector whose spans go to the followers of their conversation and, when a turn ends, to the store. */
function inspectorOf(conversations: ConversationService): Inspector {
  const inspector: Inspector = new Inspector((turnId, news) => {
    const keeping = conversations.trace(turnId, news, inspector.trace(turnId))
    // A trace that could not be stored stays in the inspector, and is gone with this process.
    keeping?.then(
      () => inspector.forget(turnId),
      () => {},
    )
  })
  return inspector
}

/** Answers that are under way have 1.5 seconds to end. */
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
