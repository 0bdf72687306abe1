import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Event, TurnbuckleError } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { AccessCheck } from '../access/access-check.ts'
import type { LiveConnections } from '../access/live-connections.ts'
import type { Visitor } from '../access/people.ts'
import { isTurnbuckleError } from '../base/is-turnbuckle-error.ts'
import { parseJson } from '../base/parse-json.ts'
import { eventLine, wireJson } from '../base/wire-json.ts'
import type { ConversationService } from '../conversations/conversation-service.ts'
import type { OpenConversation } from '../conversations/open/open-conversation.ts'
import { checkInput } from '../http/check-input.ts'
import type { Handlers } from '../http/contract.ts'
import { httpError, isServersFault } from '../http/http-error.ts'
import { maxBytes } from '../http/read-body.ts'
import { interjection, newTurn } from '../http/wire-schemas.ts'
import { FairLine } from './fair-line.ts'
import { Outbox, type ReaderLimit } from './outbox.ts'
import { socketSink } from './socket-sink.ts'

const tooSlow = 4008
const goingAway = 1001
const revoked = 4001
/** Milliseconds that a socket has after its 4008 to read the rest and close. */
const closingMs = 8000
const pingMs = 30_000
/** Conversations that all clients together begin to follow at a time: each reads the store, and tells its past. */
const begunAtOnce = 8
const path = '/api/socket'
const protocol = 'turnbuckle.'

interface WebsocketOptions {
  readonly access: AccessCheck
  readonly conversations: ConversationService
  readonly connections: LiveConnections
  readonly handlers: Handlers
  /** What may wait for one client. */
  readonly limit: ReaderLimit
  readonly report: (error: unknown) => void
}

const id = z.union([z.string().max(300), z.number()]).optional()
const frames = {
  subscribe: z.object({
    conversationId: z.string(),
    after: z.number().int().min(0).default(0),
    trace: z.boolean().default(false),
  }),
  unsubscribe: z.object({ conversationId: z.string() }),
  watch: z.object({}),
  send: z.intersection(z.object({ conversationId: z.string(), key: z.string().max(300).optional() }), newTurn),
  interrupt: z.object({ turnId: z.string(), reason: z.string().max(500).optional() }),
  interject: z.intersection(z.object({ turnId: z.string() }), interjection),
  answer: z.looseObject({ requestId: z.string() }),
}
const frame = z.looseObject({ type: z.enum(Object.keys(frames) as (keyof typeof frames)[]), id })

/** Serves the WebSocket. A client that goes away cancels no turn. */
export function mountWebsocket(server: Server, options: WebsocketOptions): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxBytes,
    handleProtocols: offered => [...offered].find(name => name.startsWith(protocol)) ?? false,
  })
  const line = new FairLine(begunAtOnce)
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    try {
      const visitor = admit(options.access, request)
      sockets.handleUpgrade(request, stream, head, socket => new Client(socket, visitor, { ...options, line }))
    } catch (error) {
      refuse(stream, error)
    }
  })
  const pings = setInterval(() => {
    for (const socket of sockets.clients) if (socket.readyState === socket.OPEN) socket.ping()
  }, pingMs)
  return () => {
    clearInterval(pings)
    for (const socket of sockets.clients) socket.close(goingAway, 'The server is closing.')
    setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate()
    }, 1000).unref()
  }
}

function admit(access: AccessCheck, request: IncomingMessage): Visitor {
  const { host, origin } = request.headers
  access.checkOrigin({ host, origin })
  if (new URL(request.url ?? '/', 'http://server').pathname !== path)
    throw new TurnbuckleError('route.missing', `The socket is at ${path}.`)
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map(name => name.trim())
  return access.checkToken(offered.find(name => name.startsWith(protocol))?.slice(protocol.length))
}

function refuse(stream: Duplex, error: unknown): void {
  const { status, body } = httpError(error)
  const text = wireJson(body)
  stream.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  )
}

/** The socket of one client. A client that reads events too slowly is cut off, and no other. */
class Client {
  readonly #socket: WebSocket
  readonly #visitor: Visitor
  readonly #options: WebsocketOptions & { readonly line: FairLine }
  readonly #outbox: Outbox
  /** Conversations that it has subscribed to, also those that it does not follow yet. */
  readonly #wanted = new Set<string>()
  readonly #following = new Map<string, () => void>()
  #unwatch: (() => void) | undefined

  constructor(socket: WebSocket, visitor: Visitor, options: WebsocketOptions & { readonly line: FairLine }) {
    this.#socket = socket
    this.#visitor = visitor
    this.#options = options
    socket.on('message', (data, binary) => void this.#receive(binary ? undefined : data.toString()))
    socket.on('error', () => socket.terminate())
    const forget = options.connections.add({
      mayStay: () => options.access.isLive(visitor),
      end: () => this.#close(revoked, 'The token was revoked or has expired.'),
    })
    socket.on('close', () => {
      forget()
      this.#outbox.close()
      this.#leave()
    })
    const hooks = { onRead: () => this.#outbox.tookSome(), cutOff: () => this.#cutOff() }
    this.#outbox = new Outbox(options.limit, socketSink(socket, hooks))
  }

  #leave(): void {
    this.#options.line.leave(this)
    for (const stop of this.#following.values()) stop()
    this.#following.clear()
    this.#unwatch?.()
  }

  #send(text: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#outbox.send(text)
  }
  #cutOff(): void {
    this.#close(tooSlow, 'Too slow: come back with after.')
  }
  /** A socket that has stalled reads no close frame: it is terminated, so that what waits for it is let go. */
  #close(code: number, reason: string): void {
    this.#leave()
    this.#socket.close(code, reason)
    const timer = setTimeout(() => this.#socket.terminate(), closingMs)
    this.#socket.once('close', () => clearTimeout(timer))
  }

  async #receive(text: string | undefined): Promise<void> {
    // Frames that came before a close frame went out are those of a token that no longer counts.
    if (!this.#options.access.isLive(this.#visitor))
      return this.#close(revoked, 'The token was revoked or has expired.')
    let given: unknown
    try {
      given = text === undefined ? undefined : parseJson(text)
      const { type } = checkInput(frame, given, 'frame.invalid')
      if (type === 'subscribe') this.#subscribe(checkInput(frames.subscribe, given, 'frame.invalid'), given)
      else this.#reply(given, await this.#do(type, given))
    } catch (error) {
      this.#refuse(given, error)
    }
  }
  #reply(given: unknown, answer: unknown): void {
    this.#send(wireJson({ type: 'reply', id: idOf(given), ok: true, ...(answer as object) }))
  }
  #refuse(given: unknown, error: unknown): void {
    const { status, body } = frameError(error)
    if (isServersFault({ status, body })) this.#options.report(error)
    this.#send(wireJson({ type: 'reply', id: idOf(given), ok: false, status, ...body }))
  }

  #do(type: Exclude<keyof typeof frames, 'subscribe'>, given: unknown): unknown {
    const { conversations, handlers } = this.#options
    const { person } = this.#visitor
    const common = { person, query: undefined, key: undefined }
    const read = <Name extends keyof typeof frames>(name: Name): z.output<(typeof frames)[Name]> =>
      checkInput(frames[name] as z.ZodType, given, 'frame.invalid') as z.output<(typeof frames)[Name]>
    switch (type) {
      case 'unsubscribe': {
        const { conversationId } = read('unsubscribe')
        this.#wanted.delete(conversationId)
        this.#unfollow(conversationId)
        return {}
      }
      case 'watch':
        this.#unwatch ??= conversations.list.watch(person, change => this.#send(wireJson(change)))
        return {}
      case 'send': {
        const { conversationId, key, ...body } = read('send')
        return handlers.startTurn({ ...common, key: key || undefined, params: { id: conversationId }, body })
      }
      case 'interrupt': {
        const { turnId, ...body } = read('interrupt')
        return handlers.interruptTurn({ ...common, params: { id: turnId }, body })
      }
      case 'interject': {
        const { turnId, text } = read('interject')
        return handlers.interject({ ...common, params: { id: turnId }, body: { text } })
      }
      case 'answer': {
        const { requestId, id: _id, type: _type, ...fields } = read('answer')
        const body = onlyAnswer(fields) ?? fields
        return handlers.answerRequest({ ...common, params: { id: requestId }, body })
      }
      default:
        return type satisfies never
    }
  }

  /** Clients that come back at once, each to many conversations, must not hold up the turns that run: each waits in line. */
  #subscribe(asked: z.output<typeof frames.subscribe>, given: unknown): void {
    const { conversations, line } = this.#options
    const { conversationId } = asked
    this.#wanted.add(conversationId)
    line.add(this, async () => {
      try {
        const conversation = await conversations.open(this.#visitor.person, conversationId, 'readConversation')
        this.#reply(given, { conversationId, seq: conversation.log.seq })
        if (this.#wanted.has(conversationId)) this.#follow(conversation, asked)
      } catch (error) {
        this.#refuse(given, error)
      }
    })
  }
  #follow(conversation: OpenConversation, { conversationId, after, trace }: z.output<typeof frames.subscribe>): void {
    const { conversations, connections } = this.#options
    const { person } = this.#visitor
    this.#unfollow(conversationId)
    const tell = (event: Event | WireEvent) => {
      // A client that watches the list hears of the deletion there; a sub-agent's conversation is in no list.
      if (event.type === 'conversation.deleted' && this.#unwatch && !conversation.root) return
      this.#send(eventLine(event))
    }
    // A client that is too slow for the log's earlier events may be cut off inside `follow`.
    const leave = conversation.follow(after, tell, this.#outbox.pace, trace)
    const forget = connections.add({
      mayStay: () => conversations.mayFollow(person, conversation),
      end: () => {
        this.#unfollow(conversationId)
        tell({ type: 'conversation.deleted', conversationId, at: Date.now() })
      },
    })
    const stop = () => {
      forget()
      leave()
    }
    if (this.#socket.readyState === this.#socket.OPEN) this.#following.set(conversationId, stop)
    else stop()
  }
  #unfollow(conversationId: string): void {
    this.#following.get(conversationId)?.()
    this.#following.delete(conversationId)
  }
}

/** `{ answer: { … } }` is the answer to a request itself, so that it may have fields named `id` or `type`. A plain `answer` field is a field. */
function onlyAnswer({ answer, ...others }: Readonly<Record<string, unknown>>): object | undefined {
  return typeof answer === 'object' && answer !== null && !Object.keys(others).length ? answer : undefined
}

const idOf = (given: unknown): unknown => {
  const value = (given as { id?: unknown } | undefined)?.id
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function frameError(error: unknown): ReturnType<typeof httpError> {
  if (isTurnbuckleError(error) && error.code === 'frame.invalid')
    return { status: 400, body: { error: { code: error.code, message: error.message } } }
  return httpError(error)
}
