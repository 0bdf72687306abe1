import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Event, TurnbuckleError } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { check } from './app.ts'
import { maxBytes, parseJson } from './bounded-json.ts'
import type { Handlers } from './contract.ts'
import { failureOf, isOurs } from './failure.ts'
import type { Gate } from './gate.ts'
import type { Library } from './library.ts'
import { interjection, newTurn } from './shapes.ts'
import { patience } from './sse.ts'
import { jsonOf, lineOf } from './wire.ts'

const tooSlow = 4008
const goingAway = 1001
const pingMs = 30_000
const path = '/api/socket'
const protocol = 'turnbuckle.'

interface Hall {
  readonly gate: Gate
  readonly library: Library
  readonly handlers: Handlers
  /** Bytes that may wait for one client. */
  readonly limit: number
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

/** The WebSocket side. Turns do not belong to it: a client that goes away cancels nothing. */
export function mountSocket(server: Server, hall: Hall): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxBytes,
    handleProtocols: offered => [...offered].find(name => name.startsWith(protocol)) ?? false,
  })
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    try {
      const person = admit(hall.gate, request)
      sockets.handleUpgrade(request, stream, head, socket => new Client(socket, person, hall))
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

function admit(gate: Gate, request: IncomingMessage): string {
  const { host, origin } = request.headers
  gate.checkPlace({ host, origin })
  if (new URL(request.url ?? '/', 'http://server').pathname !== path)
    throw new TurnbuckleError('route.missing', `The socket is at ${path}.`)
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map(name => name.trim())
  return gate.checkToken(offered.find(name => name.startsWith(protocol))?.slice(protocol.length))
}

function refuse(stream: Duplex, error: unknown): void {
  const { status, body } = failureOf(error)
  const text = jsonOf(body)
  stream.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  )
}

/** One socket. What it cannot take in time ends it alone. */
class Client {
  readonly #socket: WebSocket
  readonly #person: string
  readonly #hall: Hall
  readonly #following = new Map<string, () => void>()
  #unwatch: (() => void) | undefined

  constructor(socket: WebSocket, person: string, hall: Hall) {
    this.#socket = socket
    this.#person = person
    this.#hall = hall
    socket.on('message', (data, binary) => void this.#receive(binary ? undefined : data.toString()))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => this.#leave())
  }

  #leave(): void {
    for (const stop of this.#following.values()) stop()
    this.#following.clear()
    this.#unwatch?.()
  }

  #send(text: string): void {
    const socket = this.#socket
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > this.#hall.limit) this.#cutOff()
    else socket.send(text)
  }
  #cutOff(): void {
    this.#leave()
    this.#socket.close(tooSlow, 'Too slow: come back with after.')
  }
  /** A ping has gone out when all before it has. */
  #pace(): Promise<void> | undefined {
    const socket = this.#socket
    if (socket.readyState !== socket.OPEN || socket.bufferedAmount <= this.#hall.limit / 2) return undefined
    return new Promise(resolve => {
      const timer = setTimeout(() => this.#cutOff(), patience)
      socket.ping(undefined, undefined, () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  async #receive(text: string | undefined): Promise<void> {
    let given: unknown
    try {
      given = text === undefined ? undefined : parseJson(text)
      const { type } = check(frame, given, 'frame.invalid')
      const answer = await this.#do(type, given)
      this.#send(jsonOf({ type: 'reply', id: idOf(given), ok: true, ...(answer as object) }))
      if (type === 'subscribe') await this.#follow(check(frames.subscribe, given, 'frame.invalid'))
    } catch (error) {
      const { status, body } = frameFailure(error)
      if (status === 500) this.#hall.report(error)
      this.#send(jsonOf({ type: 'reply', id: idOf(given), ok: false, status, ...body }))
    }
  }

  #do(type: keyof typeof frames, given: unknown): unknown {
    const { library, handlers } = this.#hall
    const person = this.#person
    const common = { person, query: undefined, key: undefined }
    const read = <Name extends keyof typeof frames>(name: Name): z.output<(typeof frames)[Name]> =>
      check(frames[name] as z.ZodType, given, 'frame.invalid') as z.output<(typeof frames)[Name]>
    switch (type) {
      case 'subscribe': {
        const { conversationId } = read('subscribe')
        return library.open(person, conversationId).then(({ seq }) => ({ conversationId, seq }))
      }
      case 'unsubscribe':
        this.#unfollow(read('unsubscribe').conversationId)
        return {}
      case 'watch':
        this.#unwatch ??= library.watch(person, change => this.#send(jsonOf(change)))
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

  async #follow({ conversationId, after, trace }: z.output<typeof frames.subscribe>): Promise<void> {
    const room = await this.#hall.library.open(this.#person, conversationId)
    this.#unfollow(conversationId)
    const tell = (event: Event | WireEvent) => {
      // Who watches the list is told of it there.
      if (event.type === 'conversation.deleted' && this.#unwatch) return
      if (trace || !event.type.startsWith('trace.')) this.#send(lineOf(event))
    }
    // A client that is already too slow for what it asked for has left while it was told.
    const stop = room.follow(after, tell, () => this.#pace())
    if (this.#socket.readyState === this.#socket.OPEN) this.#following.set(conversationId, stop)
    else stop()
  }
  #unfollow(conversationId: string): void {
    this.#following.get(conversationId)?.()
    this.#following.delete(conversationId)
  }
}

/** `{ answer: { … } }` is the answer itself, for fields that a frame has already. A plain field of that name is a field. */
function onlyAnswer({ answer, ...others }: Readonly<Record<string, unknown>>): object | undefined {
  return typeof answer === 'object' && answer !== null && !Object.keys(others).length ? answer : undefined
}

const idOf = (given: unknown): unknown => {
  const value = (given as { id?: unknown } | undefined)?.id
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function frameFailure(error: unknown): ReturnType<typeof failureOf> {
  if (isOurs(error) && error.code === 'frame.invalid')
    return { status: 400, body: { error: { code: error.code, message: error.message } } }
  return failureOf(error)
}
