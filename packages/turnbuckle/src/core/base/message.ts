import { TurnbuckleError } from './errors.ts'

/** The author of a message, as providers tell them apart. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

/** Words. */
export interface TextPart {
  /** Tells text from other parts. */
  readonly type: 'text'
  /** The words. */
  readonly text: string
  /** The provider's own data, sent back to it unchanged with the next prompt. */
  readonly meta?: unknown
}
/** A model's thoughts, where the provider tells them. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  /** Milliseconds from its first piece to what came next, where that was a second or more. */
  readonly durationMs?: number
  /** The provider's own data (a signature), sent back to it unchanged with the next prompt. */
  readonly meta?: unknown
}
/** A picture, a document, or any other file. */
export interface FilePart {
  /** Tells a file from other parts. */
  readonly type: 'file'
  /** The IANA media type: `image/png`. */
  readonly mediaType: string
  /** Base64 text, a data URL, raw bytes, or an address. What is recorded is text: bytes become base64, a URL its address. */
  readonly data: string | Uint8Array | URL
  /** The file's name, where it has one. */
  readonly name?: string
  /** The provider's own data, sent back to it unchanged with the next prompt. */
  readonly meta?: unknown
}

/** True for a file part. A tool shows a file by returning one, or a list that has one. */
export const isFile = (part: unknown): part is FilePart =>
  typeof part === 'object' &&
  part !== null &&
  'type' in part &&
  part.type === 'file' &&
  'data' in part &&
  'mediaType' in part
/** A source that the provider names for its answer. */
export interface SourcePart {
  readonly type: 'source'
  readonly url?: string
  readonly title?: string
  /** The name of a document that has no address. */
  readonly name?: string
  /** The IANA media type of a document. */
  readonly mediaType?: string
  /** The provider's own data about the source. Sources are not sent back. */
  readonly meta?: unknown
}
/** A part that only its provider understands (a compaction, a fallback to another model). It is kept, and sent back unchanged. */
export interface CustomPart {
  readonly type: 'custom'
  /** The provider's name of it: `anthropic.fallback`. */
  readonly kind: string
  /** The provider's own data, sent back to it unchanged with the next prompt. */
  readonly meta?: unknown
}
/** A request to run a tool. `args` is the parsed value; text that is no JSON stays text and is never run. */
export interface Call {
  /** Tells a call from other parts. */
  readonly type: 'call'
  /** Pairs the call with its result. */
  readonly id: string
  /** The tool's name. */
  readonly name: string
  /** The parsed arguments. */
  readonly args: unknown
  /** The provider runs the call itself. Its result is in this message or in a later one of the assistant, or never told. */
  readonly byProvider?: true
  /** The provider's id of its question whether it may run the call. The call then is ours to allow or refuse, and our result is the answer. */
  readonly approval?: string
  /** The provider's own data, sent back to it unchanged with the next prompt. */
  readonly meta?: unknown
}

/** The status of a call's result. `unknown`: it began in a process that died, and nobody knows whether it finished. */
export type ResultStatus = 'ok' | 'error' | 'blocked' | 'denied' | 'interrupted' | 'timeout' | 'unknown'

/** The result of a call, as hooks see it. */
export interface ToolResult {
  /** `ok`, or why the call has no result of its tool. */
  readonly status: ResultStatus
  /** The tool's value, or the reason as text. */
  readonly value: unknown
}
/** The result of a call, as it is recorded. */
export interface ResultPart extends ToolResult {
  /** Tells a result from other parts. */
  readonly type: 'result'
  /** The id of the call. */
  readonly id: string
  /** The tool's name. */
  readonly name: string
  /** The arguments that the call ran with, where a person changed them: the call part keeps those of the model. */
  readonly args?: unknown
  /** The provider's own data, sent back to it unchanged with the next prompt. */
  readonly meta?: unknown
}

/** A part of a message. */
export type Part = TextPart | ReasoningPart | FilePart | SourcePart | CustomPart | Call | ResultPart

/** A message of the conversation: parts in their order. Never changed once it is recorded. */
export interface Message {
  /** Names the message in its conversation. */
  readonly id: string
  /** The author of the message. */
  readonly role: Role
  /** The parts of the message, in their order. */
  readonly content: readonly Part[]
  /** The reply was cut: by a person, by a hook, by its length, or because an attempt failed and was not retried. */
  readonly interrupted?: boolean
  /** The middleware that wrote it, where it was not the person or the model. */
  readonly by?: string
}

/** A message before it has its id. */
export interface NewMessage {
  /** An id of your own; one is made where there is none. */
  readonly id?: string
  /** The author of the message. */
  readonly role: Role
  /** Text, or parts. */
  readonly content: string | readonly Part[]
  /** True for a reply that was cut. */
  readonly interrupted?: boolean
  /** The middleware that wrote the message. */
  readonly by?: string
}

/** The parts without empty texts, which providers refuse. */
function parts(content: string | readonly Part[]): readonly Part[] {
  if (typeof content === 'string') return content ? [{ type: 'text', text: content }] : []
  return content.every(isSomething) ? content : content.filter(isSomething)
}
const isSomething = (part: Part): boolean => part.type !== 'text' || part.text !== '' || part.meta !== undefined

/** The text of a message, without its other parts; empty where there is no message. */
export function textOf(message: { readonly content: readonly Part[] } | undefined): string {
  let text = ''
  if (message) for (const part of message.content) if (part.type === 'text') text += part.text
  return text
}

/** The list with one more. Mostly it stays one: pushed onto an empty list it would take the room of sixteen. */
export function appended<Item>(list: Item[], item: Item): Item[] {
  if (!list.length) return [item]
  list.push(item)
  return list
}

/** True for a call that the provider runs without asking: no result of ours belongs to it. */
export const isProviderRun = (call: Call): boolean => call.byProvider === true && call.approval === undefined

/** The calls that are ours to run, or to answer: not those of the provider, nor those that have their result in the same message. */
export function callsOf(message: { readonly content: readonly Part[] }): Call[] {
  let calls: Call[] = []
  let answered = false
  for (const part of message.content) {
    if (part.type === 'result') answered = true
    else if (part.type === 'call' && !isProviderRun(part)) calls = appended(calls, part)
  }
  if (!answered) return calls
  return calls.filter(call => !message.content.some(part => part.type === 'result' && part.id === call.id))
}

/** True for a reply that ends with work of the provider's own: it has more to say as soon as it is called again. */
export function endsInProviderWork({ content }: { readonly content: readonly Part[] }): boolean {
  const last = content.at(-1)
  return last?.type === 'result' || (last?.type === 'call' && isProviderRun(last))
}

/** A record, so that one that is forgotten is a type error. */
export const resultStatuses: Readonly<Record<ResultStatus, true>> = {
  ok: true,
  error: true,
  blocked: true,
  denied: true,
  interrupted: true,
  timeout: true,
  unknown: true,
}

/** Tells a result from a tool's plain value: both members, a known status, nothing else. */
export function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== 'object' || value === null || !('status' in value) || !('value' in value)) return false
  return Object.hasOwn(resultStatuses, value.status as string) && Object.keys(value).length === 2
}

/** `args`: what it ran with, where that is not what the call says. */
export function resultMessage(id: string, call: Call, { status, value }: ToolResult, args?: unknown): Message {
  const part: ResultPart = { type: 'result', id: call.id, name: call.name, status, value }
  return { id, role: 'tool', content: [args === undefined ? part : { ...part, args }] }
}

/** The sentence in front of the result of a call whose arguments a person has changed; for the model. */
export const toldArgs = (args: unknown): string => `A person changed the arguments to ${JSON.stringify(args)}.`

/** The part as plain JSON: a log, a file and another process must have it too. */
export function plainPart(part: Part): Part {
  if (part.type !== 'file' || typeof part.data === 'string') return part
  return { ...part, data: part.data instanceof Uint8Array ? base64(part.data) : String(part.data) }
}
/** The number of characters of a file's data once it is text. */
export const encodedLength = ({ data }: FilePart): number =>
  data instanceof Uint8Array ? Math.ceil(data.length / 3) * 4 : String(data).length
/** The message itself, unless a file in it is bytes or a URL. */
export function plainMessage(message: Message): Message {
  const { content } = message
  for (const part of content) if (plainPart(part) !== part) return { ...message, content: content.map(plainPart) }
  return message
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let i = 0; i < bytes.length; i += 32_768) binary += String.fromCharCode(...bytes.subarray(i, i + 32_768))
  return btoa(binary)
}

/** True where a value has the members that a recorded message needs. */
export function isMessage(value: unknown): value is Message {
  const { id, role, content } = (value ?? {}) as Partial<Message>
  return Boolean(id && role && Array.isArray(content))
}

/** Reads the message that a turn begins with: of the role user or system. */
export function asSaid(value: unknown, id: string): Message {
  const message = asRecordable(value, 'user', id)
  if (message.role === 'user' || message.role === 'system') return message
  throw invalid('A turn begins with what a user says. A history goes into agent.conversation({ messages }).')
}

/** Reads a message that has in it what one of its role may have. */
export function asRecordable(value: unknown, role: Role, id: string): Message {
  const message = asMessage(value, role, id)
  const fits = mayHave[message.role]
  if (fits && message.content.every(({ type }) => fits(type))) return message
  throw invalid(`Calls are the assistant's, results a tool's: this is no message of the role "${message.role}".`)
}

const isSpoken = (type: Part['type']): boolean => type !== 'call' && type !== 'result'
const mayHave: Readonly<Record<Role, (type: Part['type']) => boolean>> = {
  system: isSpoken,
  user: isSpoken,
  assistant: () => true,
  tool: type => type === 'result',
}

const invalid = (why: string): TurnbuckleError => new TurnbuckleError('message.invalid', why, { kind: 'validation' })

/** Reads a ready reply: text, parts, or a message. */
export function asMessage(value: unknown, role: Role, id: string): Message {
  if (typeof value === 'string' || Array.isArray(value))
    return plainMessage({ id, role, content: parts(value as string | readonly Part[]) })
  const given = value as NewMessage | null
  if (
    typeof given !== 'object' ||
    given === null ||
    (!Array.isArray(given.content) && typeof given.content !== 'string')
  )
    throw invalid(`Expected text or a message { role, content }, got ${value === null ? 'null' : typeof value}.`)
  const content = parts(given.content)
  if (isMessage(given) && content === given.content) return plainMessage(given)
  return plainMessage({ ...given, id: given.id ?? id, role: given.role ?? role, content })
}
