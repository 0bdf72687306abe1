import type { ModelExchange } from 'turnbuckle'
import type { WireExchange } from 'turnbuckle/client'

/** Characters of a model call's texts: of one text inside, and of all. */
interface Room {
  readonly text: number
  readonly all: number
}

const wholeRoom: Room = { text: 4000, all: 64_000 }
const shortRoom: Room = { text: 300, all: 1500 }
const shownMessages = 3

/** Members that a request of a provider's package must not show, wherever they stand. */
const secret = /^(headers|abortSignal|api-?key|authorization)$/i

/** A model call as texts. Long texts inside are cut, so that the whole stays readable. */
export const wholeExchange = (exchange: ModelExchange): WireExchange => shownIn(wholeRoom, exchange)

/**
 * A model call as short texts: the last messages of its prompt, and the names of its tools. A prompt grows with its
 * conversation: its whole text is not made for every call, told to every follower and kept with every trace.
 */
export function shortExchange(exchange: ModelExchange): WireExchange {
  const short = shownIn(shortRoom, { ...exchange, sent: withoutHistory(exchange.sent) })
  return { ...short, isShort: true }
}

const shownIn = (room: Room, { model, sent, received, error }: ModelExchange): WireExchange => ({
  model,
  sent: shownJson(sent, room),
  received: shownJson(received, room),
  ...(error === undefined ? {} : { error }),
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function withoutHistory(sent: unknown): unknown {
  if (!isRecord(sent)) return sent
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]): [string, unknown] => {
      if (!Array.isArray(value)) return [name, value]
      return [name, name === 'tools' ? value.map(nameOf) : lastMessages(value)]
    }),
  )
}

const nameOf = (tool: unknown): unknown => (isRecord(tool) ? (tool['name'] ?? tool['id']) : tool)

function lastMessages(messages: readonly unknown[]): readonly unknown[] {
  const earlier = messages.length - shownMessages
  return earlier > 0 ? [`… ${earlier} earlier messages …`, ...messages.slice(earlier)] : messages
}

function shownJson(value: unknown, { text, all }: Room): string {
  try {
    return cut(JSON.stringify(value, (name, member) => shownMember(name, member, text), 2) ?? '', all)
  } catch {
    return String(value)
  }
}

function shownMember(name: string, value: unknown, longest: number): unknown {
  if (secret.test(name)) return undefined
  if (value instanceof Uint8Array) return `(${value.length} bytes)`
  return typeof value === 'string' ? cut(value, longest) : value
}

/** The beginning and the end of a text: what a person said last stands at a prompt's end. */
const cut = (text: string, longest: number): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest / 2)}\n… ${text.length - longest} characters more …\n${text.slice(-longest / 2)}`
