import type { ModelExchange } from 'turnbuckle'
import type { WireExchange } from 'turnbuckle/client'

const longestText = 4000

/** Members that a request of a provider's package must not show, wherever they stand. */
const secret = /^(headers|abortSignal|api-?key|authorization)$/i

/** A model call as texts of at most `room` characters. Long texts inside are cut too, so that the whole stays readable. */
export const shownExchange = ({ model, sent, received, error }: ModelExchange, room: number): WireExchange => ({
  model,
  sent: shownJson(sent, room),
  received: shownJson(received, room),
  ...(error === undefined ? {} : { error }),
})

function shownJson(value: unknown, room: number): string {
  try {
    return cut(JSON.stringify(value, shownMember, 2) ?? '', room)
  } catch {
    return String(value)
  }
}

function shownMember(name: string, value: unknown): unknown {
  if (secret.test(name)) return undefined
  if (value instanceof Uint8Array) return `(${value.length} bytes)`
  return typeof value === 'string' ? cut(value, longestText) : value
}

/** The beginning and the end of a text: what a person said last stands at a prompt's end. */
const cut = (text: string, longest: number): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest / 2)}\n… ${text.length - longest} characters more …\n${text.slice(-longest / 2)}`
