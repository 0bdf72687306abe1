import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { type Agent, TurnbuckleError } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import { AccessCheck, inUrl, isWildcard } from './access/access-check.ts'
import { AuditList } from './access/audit-list.ts'
import { LiveConnections } from './access/live-connections.ts'
import { MiddlewareSwitches } from './access/middleware-switches.ts'
import { People } from './access/people.ts'
import type { NamedPerson } from './access/read-tokens.ts'
import { ShareLinks } from './access/share-links.ts'
import { Shares } from './access/shares.ts'
import type { Permissions } from './access/stored-permissions.ts'
import { mountAgUi } from './ag-ui/ag-ui.ts'
import { mountAiSdkChat } from './ai-sdk/ai-sdk-chat.ts'
import { ConversationService } from './conversations/conversation-service.ts'
import { takeOverTurns } from './conversations/elsewhere/take-over-turns.ts'
import { UploadedFiles } from './conversations/stored/uploaded-files.ts'
import type { TurnRunner } from './conversations/turns/turn-runner.ts'
import { hearOthers } from './hear-others.ts'
import { createApp, type Visit } from './http/app.ts'
import { createCallHandlers } from './http/handlers/call-handlers.ts'
import { mountSharedRoutes } from './http/shared-routes.ts'
import { mountWebFiles } from './http/web-files.ts'
import { Inspector } from './inspector/inspector.ts'
import { mountOpenAi } from './openai/mount-openai.ts'
import { conversationSettings } from './settings/conversation-settings.ts'
import { type Models, onlyModelOf } from './settings/models.ts'
import type { ServerSettings } from './settings/server-settings.ts'
import type { ReaderLimit } from './streams/outbox.ts'
import { mountSse } from './streams/sse.ts'
import type { TurnStreaming } from './streams/stream-turn.ts'
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
  /** The models that conversations choose from. Without them there is the agent's own. */
  readonly models?: Models
  /** The settings of the program that serves. Without them the calls about settings are 404. */
  readonly settings?: ServerSettings
  /** The folder of the built web app. */
  readonly web?: string | undefined
  /** Bytes that may wait for one slow client. One MiB by default. */
  readonly bufferLimit?: number
  /**
   * Milliseconds that a client may take nothing while events wait for it; then it is cut off. By default five seconds for a WebSocket, whose
   * pongs tell what it has read, and two minutes for a stream of server-sent events, of which the system's buffers hide it.
   */
  readonly stallMs?: number
  /** The number of conversations that stay in memory although nobody follows them and no turn runs. 100 by default. */
  readonly keptIdle?: number
  /**
   * Milliseconds between two looks for turns that another server on the store has left. Ten seconds by default; two where the store is made
   * for several processes (it has a channel).
   */
  readonly takeOverMs?: number
  /** Starts turns elsewhere instead of in this process, which needs a `store` that the workers share. */
  readonly runner?: TurnRunner
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
    models = onlyModelOf(options.agent),
    onError = () => {},
  } = options
  checkRunner(options)
  const people = new People(options, store)
  const access = new AccessCheck(people, hosts, options.origin)
  const [kept, connections] = [keptParts(store), new LiveConnections()]
  const { roleOf } = people
  const asked = { agent, store, runner: options.runner, keptIdle, roleOf, report: onError }
  const conversations = new ConversationService({ ...asked, ...kept })
  const { inspector, forget } = useOwnMiddleware(agent, conversations, models)
  const switches = new MiddlewareSwitches(agent, store)
  const rights = [people, kept.shares]
  const stopHearing = await hearOthers({ store, conversations, connections, switches, rights, onError })
  await conversations.findLeftTurns()
  const parts = { agent, conversations, inspector, switches, people, connections, models, ...kept }
  const { permissions, settings } = options
  const handlers = createCallHandlers({ ...parts, permissions, settings, roleOf })
  const app = createApp(access, handlers, { report: onError, roleOf }, open => mountSharedRoutes(open, parts))
  const streams = new Set<() => void>()
  const limit = (stallMs: number): ReaderLimit => ({ bytes: bufferLimit, stallMs: options.stallMs ?? stallMs })
  const streaming = { access, conversations, connections }
  mountStreams(app, { ...streaming, open: streams, limit: limit(120_000) }, agent)
  if (options.web) mountWebFiles(app, options.web)
  const server = createHttpServer(getRequestListener(app.fetch))
  const closeSockets = mountWebsocket(server, { ...streaming, limit: limit(5000), handlers, report: onError })
  const bound = await listen(server, host, port, [closeSockets, stopHearing, () => conversations.close(), forget])
  access.allow(host, bound)
  // Requests are served while the turns that the last process left go on.
  const stopTakingOver = takeOverTurns(conversations.leftTurns, options.takeOverMs ?? takeOverMs(store), onError)
  const close = async () => {
    for (const stop of [stopHearing, stopTakingOver]) stop()
    conversations.close()
    await closeConnections(server, [closeSockets, ...streams])
    forget()
  }
  return { url: urlOf(host, bound), port: bound, token: people.token, close }
}

function checkRunner({ runner, store }: ServerOptions): void {
  if (runner && !store)
    throw new TurnbuckleError('store.missing', 'A runner needs the store that its workers share: { store, runner }.')
}

/** A store with a channel is shared on purpose: who waits for a turn whose server is gone waits two seconds at most. */
const takeOverMs = (store: ConversationStore | undefined): number => (store?.channel ? 2000 : 10_000)

/** The parts that keep something of their own in the store, beside the conversations. */
const keptParts = (store: ConversationStore | undefined) => ({
  shares: new Shares(store),
  links: new ShareLinks(store),
  files: new UploadedFiles(store),
  audit: new AuditList(store),
})

function mountStreams(app: Hono<Visit>, streaming: TurnStreaming, agent: Agent): void {
  mountSse(app, streaming)
  mountAgUi(app, streaming)
  mountAiSdkChat(app, streaming)
  mountOpenAi(app, streaming, agent)
}

/** A wildcard address is no host name: the server is then reached under the loopback address. */
const urlOf = (host: string, port: number): string => `http://${isWildcard(host) ? '127.0.0.1' : inUrl(host)}:${port}`

/** Gives the agent the server's own middleware, until `forget` is called. */
function useOwnMiddleware(agent: Agent, conversations: ConversationService, models: Models) {
  const inspector = inspectorOf(conversations)
  const settings = conversationSettings(id => conversations.settingsOf(id), models)
  return { inspector, forget: agent.use([inspector.middleware, settings]) }
}

/** An inspector whose spans go to the followers of their conversation and, when a turn ends, to the store. */
function inspectorOf(conversations: ConversationService): Inspector {
  const spansOf = (turnId: string) => inspector.trace(turnId)?.spans ?? []
  const inspector: Inspector = new Inspector((turnId, news) => {
    const keeping = conversations.trace(turnId, news, spansOf)
    // A trace that could not be stored stays in the inspector, and is gone with this process.
    keeping?.then(
      () => inspector.forget(turnId),
      () => {},
    )
  })
  return inspector
}

/** Takes no more connections, and ends sockets and streams. Answers that are under way have 1.5 seconds to end. */
async function closeConnections(server: HttpServer, ends: Iterable<() => void>): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  const hard = setTimeout(() => server.closeAllConnections(), 1500)
  const closed = new Promise(resolve => server.close(resolve))
  for (const end of ends) end()
  await closed
  clearInterval(idle)
  clearTimeout(hard)
}

/** Gives the port. Where the server cannot listen, undoes what was begun for it. */
function listen(server: HttpServer, host: string, port: number, undo: readonly (() => void)[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      for (const act of undo) act()
      reject(error)
    }
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
