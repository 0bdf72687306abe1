import type { Channel, ChannelListener } from '../channel/channel.ts'
import { MessagePacker, MessageUnpacker } from '../channel/message-packing.ts'
import { TopicListeners } from '../channel/topic-listeners.ts'
import type { Row } from '../sql/executor.ts'

/** Milliseconds between two sendings: what is published meanwhile goes along. */
const sendEvery = 10
/** Milliseconds between two proofs that messages arrive, and how long one may take. */
const proveEvery = 10_000
const proofTakes = 5000
/** Milliseconds before the first try to connect again; each further try waits twice as long, up to the last. */
const firstRetry = 100
const lastRetry = 2000

export interface ListeningHooks {
  heard(channel: string, payload: string): void
  lost(): void
}
/** A connection that hears notifications. */
export interface ListeningConnection {
  query(sql: string, params?: readonly unknown[]): Promise<{ rows: Row[] }>
  end(): Promise<void>
}
export interface PostgresChannelOptions {
  readonly schema: string | undefined
  readonly notify: (sql: string, params: readonly unknown[]) => Promise<void>
  /** Undefined where nothing is to be listened to. */
  readonly connect: ((hooks: ListeningHooks) => Promise<ListeningConnection>) | undefined
}

/** The name of a topic in the database: topics of other schemas are other topics. Parameters: schema or null, topic. */
const nameOf = (schema: string, topic: string): string =>
  `'turnbuckle_' || md5(coalesce(${schema}, current_schema()) || '/' || ${topic})`
const notifySql = `SELECT pg_notify(${nameOf('$1::text', 'topic')}, payload) FROM unnest($2::text[], $3::text[]) AS given (topic, payload)`
const nameSql = `SELECT topic, ${nameOf('$1::text', 'topic')} AS name FROM unnest($2::text[]) AS given (topic)`

/**
 * A channel by LISTEN and NOTIFY. It publishes on the store's connections, one sending at a time, and listens on one connection of its own.
 * That messages arrive is proved by sending some to itself: a connection that hears nothing, a pooler's for example, counts as closed.
 */
export class PostgresChannel implements Channel {
  readonly #options: PostgresChannelOptions
  readonly #sender = Math.random().toString(36).slice(2, 12)
  readonly #packer = new MessagePacker(this.#sender)
  readonly #unpacker = new MessageUnpacker()
  readonly #listeners = new TopicListeners()
  readonly #proofTopic = `proof/${this.#sender}`
  /** Messages that wait, by topic. */
  #waiting = new Map<string, unknown[]>()
  #sending: Promise<void> | undefined
  #connection: Promise<ListeningConnection> | undefined
  /** Topics by the names that the connection listens to. */
  #names = new Map<string, string>()
  #open = false
  #closed = false
  #retry = firstRetry
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: PostgresChannelOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#open
  }

  publish(topic: string, message: unknown): void {
    if (this.#closed) return
    const waiting = this.#waiting.get(topic)
    if (waiting) waiting.push(message)
    else this.#waiting.set(topic, [message])
    this.#sending ??= this.#send()
  }
  /** Sends until nothing waits. What cannot be sent is lost. */
  async #send(): Promise<void> {
    while (this.#waiting.size) {
      const rows = [...this.#waiting].flatMap(([topic, messages]) =>
        this.#packer.pack(messages).map(packet => [topic, packet] as const),
      )
      this.#waiting = new Map()
      const [topics, packets] = [rows.map(([topic]) => topic), rows.map(([, packet]) => packet)]
      const { schema = null, notify } = this.#options
      if (rows.length) await notify(notifySql, [schema, topics, packets]).catch(() => {})
      if (!this.#closed) await new Promise(resolve => setTimeout(resolve, sendEvery).unref?.())
    }
    this.#sending = undefined
  }

  listen(topic: string, listener: ChannelListener): () => void {
    const isNew = !this.#listeners.has(topic)
    const remove = this.#listeners.add(topic, listener)
    // Where nothing is ever heard, all is missed: nobody waits for the channel to open.
    const isDeaf = !this.#options.connect
    if (isNew && !this.#closed && !isDeaf) void this.#listenTo(topic)
    else if (this.#open || isDeaf) queueMicrotask(() => this.#listeners.tellMissed([topic], listener))
    return () => {
      if (remove()) void this.#unlisten(topic)
    }
  }
  async #listenTo(topic: string): Promise<void> {
    if (!this.#connection) return this.#connect()
    try {
      await this.#listenOn(await this.#connection, [topic])
      if (this.#open) this.#listeners.tellMissed([topic])
    } catch {
      this.#lose()
    }
  }
  async #listenOn(connection: ListeningConnection, topics: readonly string[]): Promise<void> {
    const { schema = null } = this.#options
    const { rows } = await connection.query(nameSql, [schema, topics])
    for (const { topic, name } of rows) this.#names.set(String(name), String(topic))
    for (const { name } of rows) await connection.query(`LISTEN ${String(name)}`)
  }
  async #unlisten(topic: string): Promise<void> {
    const [name] = [...this.#names].find(([, known]) => known === topic) ?? []
    if (name === undefined) return
    const connection = await this.#connection?.catch(() => undefined)
    // Somebody may listen again by now.
    if (this.#listeners.has(topic) || this.#names.get(name) !== topic) return
    this.#names.delete(name)
    await connection?.query(`UNLISTEN ${name}`).catch(() => this.#lose())
  }

  /** Connects, and tries again until it is closed. */
  async #connect(): Promise<void> {
    const { connect } = this.#options
    if (!connect || this.#closed) return
    const begun: Promise<ListeningConnection> = connect({
      heard: (name, payload) => this.#hear(name, payload),
      lost: () => {
        if (this.#connection === begun) this.#lose()
      },
    })
    this.#connection = begun
    try {
      await this.#listenOn(await begun, [this.#proofTopic, ...this.#listeners.topics])
      if (this.#connection === begun) this.#prove()
    } catch {
      if (this.#connection === begun) this.#lose()
    }
  }
  #lose(): void {
    const lost = this.#connection
    this.#connection = undefined
    this.#open = false
    this.#names = new Map()
    this.#unpacker.reset()
    lost?.then(
      connection => connection.end().catch(() => {}),
      () => {},
    )
    this.#plan(() => void this.#connect(), this.#retry)
    this.#retry = Math.min(this.#retry * 2, lastRetry)
  }
  #plan(act: () => void, ms: number): void {
    clearTimeout(this.#timer)
    if (this.#closed) return
    this.#timer = setTimeout(act, ms)
    this.#timer.unref?.()
  }

  #prove(): void {
    this.publish(this.#proofTopic, 'proof')
    this.#plan(() => this.#lose(), proofTakes)
  }
  #hear(name: string, payload: string): void {
    const topic = this.#names.get(name)
    if (topic === undefined) return
    const messages = this.#unpacker.take(payload)
    if (topic === this.#proofTopic) this.#proved()
    else for (const message of messages) this.#listeners.tell(topic, message)
  }
  #proved(): void {
    this.#retry = firstRetry
    this.#plan(() => this.#prove(), proveEvery)
    if (this.#open) return
    this.#open = true
    this.#listeners.tellMissed()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#sending
    this.#open = false
    const connection = await this.#connection?.catch(() => undefined)
    this.#connection = undefined
    await connection?.end().catch(() => {})
  }
}
