import {
  type Call,
  type CustomPart,
  type FilePart,
  type Message,
  type Part,
  type ReasoningPart,
  type ResultPart,
  resultStatuses,
  type SourcePart,
  type TextPart,
} from '../../core/base/message.ts'
import type { Usage } from '../../core/base/ports.ts'
import { notImportable } from './not-importable.ts'

/** A message of an exported conversation. */
export interface PortableNode {
  readonly id: string
  readonly parent?: string | undefined
  readonly turn?: string | undefined
  readonly at: number
  readonly message: Message
  readonly usage?: Usage | undefined
}

/** A conversation as a file: plain data. */
export interface PortableConversation {
  readonly format: 'turnbuckle'
  readonly version: 1
  readonly id: string
  readonly title?: string | undefined
  readonly head?: string | undefined
  readonly nodes: readonly PortableNode[]
}

type Check = (value: unknown, at: string) => void

const refuse = (at: string, problem: string): never => {
  throw notImportable(`${at} ${problem}`)
}
const text: Check = (value, at) => void (typeof value === 'string' || refuse(at, 'is not text'))
const number: Check = (value, at) => void (Number.isFinite(value) || refuse(at, 'is not a number'))
const truth: Check = (value, at) => void (typeof value === 'boolean' || refuse(at, 'is neither true nor false'))
const data: Check = () => {}
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value, at) =>
    void (values.includes(value) || refuse(at, `is none of ${values.join(', ')}`))
const list =
  (item: Check): Check =>
  (value, at) => {
    if (!Array.isArray(value)) return refuse(at, 'is not a list')
    for (const [i, entry] of value.entries()) item(entry, `${at}[${i}]`)
  }

/** A check for each member of a type, so that a new one is not forgotten here. Those that end in `?` may be missing. */
type Members<Of> = {
  readonly [Name in keyof Of & string as undefined extends Of[Name] ? `${Name}?` : Name]-?: Check
}

/** An object with known members only: a file with any other is refused. */
function object<Of>(members: Members<Of>): Check {
  const known = new Set(Object.keys(members).map(name => name.replace('?', '')))
  const checkMember = (name: string, check: Check, given: Readonly<Record<string, unknown>>, at: string) => {
    const key = name.replace('?', '')
    if (given[key] !== undefined) check(given[key], `${at}.${key}`)
    else if (name === key) refuse(`${at}.${key}`, 'is missing')
  }
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(at, 'is not an object')
    const stranger = Object.keys(value).find(name => !known.has(name))
    if (stranger !== undefined) refuse(`${at}.${stranger}`, 'is not known')
    for (const [name, check] of Object.entries<Check>(members))
      checkMember(name, check, value as Record<string, unknown>, at)
  }
}

const parts: Readonly<Record<Part['type'], Check>> = {
  text: object<TextPart>({ type: text, text, 'meta?': data }),
  reasoning: object<ReasoningPart>({ type: text, text, 'durationMs?': number, 'meta?': data }),
  file: object<FilePart>({ type: text, mediaType: text, data: text, 'name?': text, 'meta?': data }),
  source: object<SourcePart>({
    type: text,
    'url?': text,
    'title?': text,
    'name?': text,
    'mediaType?': text,
    'meta?': data,
  }),
  custom: object<CustomPart>({ type: text, kind: text, 'meta?': data }),
  call: object<Call>({
    type: text,
    id: text,
    name: text,
    'args?': data,
    'byProvider?': oneOf(true),
    'approval?': text,
    'meta?': data,
  }),
  result: object<ResultPart>({
    type: text,
    id: text,
    name: text,
    status: oneOf(...Object.keys(resultStatuses)),
    'value?': data,
    'args?': data,
    'meta?': data,
  }),
}
const part: Check = (value, at) => {
  const type = (value as Part | null)?.type as Part['type']
  if (!Object.hasOwn(parts, type)) return refuse(`${at}.type`, 'is not known')
  parts[type](value, at)
}

const node = object<PortableNode>({
  id: text,
  'parent?': text,
  'turn?': text,
  at: number,
  message: object<Message>({
    id: text,
    role: oneOf('system', 'user', 'assistant', 'tool'),
    content: list(part),
    'interrupted?': truth,
    'by?': text,
  }),
  'usage?': object<Usage>({
    inputTokens: number,
    outputTokens: number,
    'cachedInputTokens?': number,
    'reasoningTokens?': number,
    'cost?': number,
    'knownCost?': number,
    'unknownCalls?': number,
    'estimated?': truth,
  }),
})
const conversation = object<PortableConversation>({
  format: oneOf('turnbuckle'),
  version: oneOf(1),
  id: text,
  'title?': text,
  'head?': text,
  nodes: list(node),
})

/** Reads a file's content. Throws `import.invalid` with place and reason for all but a valid conversation. */
export function readPortable(json: unknown): PortableConversation {
  conversation(json, 'the file')
  const read = json as PortableConversation
  const known = new Set<string>()
  for (const node of read.nodes) {
    checkPlace(node, known)
    known.add(node.id)
  }
  if (read.head !== undefined && !known.has(read.head)) refuse('the head', `is "${read.head}", which is not there`)
  return read
}

function checkPlace({ id, parent, message }: PortableNode, before: ReadonlySet<string>): void {
  const what = `the message "${id}"`
  if (before.has(id)) refuse(what, 'is there twice')
  if (message.id !== id) refuse(what, `has another id inside: "${message.id}"`)
  if (parent !== undefined && !before.has(parent)) refuse(what, `follows "${parent}", which is not before it`)
}
