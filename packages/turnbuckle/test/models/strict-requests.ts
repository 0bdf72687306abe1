/**
 * What a strict provider refuses, per protocol: a call without its result right behind it, results out of order or
 * without a call, an id twice, arguments that are no object, blank text. Throws what is wrong.
 */
export function checkRequest(protocol: Protocol, body: unknown): void {
  const findings = new Findings()
  for (const item of checks[protocol](body as never)) findings.read(item)
  findings.close('the end')
  const { problems } = findings
  if (problems.length) throw new Error(`Not valid for ${protocol}: ${problems.join('; ')}\n${JSON.stringify(body)}`)
}

export type Protocol = 'chat' | 'responses' | 'anthropic' | 'gemini'

interface Chat {
  readonly messages: readonly {
    readonly role: string
    readonly content?: unknown
    readonly tool_call_id?: string
    readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[]
  }[]
}

function* chat({ messages }: Chat): Generator<Item> {
  for (const [index, { role, content, tool_calls = [], tool_call_id }] of messages.entries()) {
    if (role === 'tool') {
      yield { result: tool_call_id }
      continue
    }
    yield { closed: `${role} message ${index}` }
    if (!tool_calls.length && isBlank(content)) yield { problem: `a blank ${role} message` }
    yield* tool_calls.map(call => ({ call: call.id, args: parse(call.function.arguments) }))
  }
}

interface Responses {
  readonly input: readonly {
    readonly type?: string
    readonly role?: string
    readonly content?: unknown
    readonly call_id?: string
    readonly arguments?: string
  }[]
}

function* responses({ input }: Responses): Generator<Item> {
  for (const { type = 'message', role, content, call_id, arguments: args } of input) {
    if (type === 'function_call') yield { call: String(call_id), args: parse(args) }
    else if (type === 'function_call_output') yield { result: call_id }
    else yield { closed: role ?? type }
    if (type === 'message' && isBlank(content)) yield { problem: `a blank ${role} message` }
    if (type === 'item_reference') yield { problem: 'a look into the provider’s own history' }
  }
}

interface Anthropic {
  readonly messages: readonly {
    readonly role: string
    readonly content: readonly {
      readonly type: string
      readonly id?: string
      readonly tool_use_id?: string
      readonly input?: unknown
      readonly text?: string
      readonly signature?: string
    }[]
  }[]
}

type Block = Anthropic['messages'][number]['content'][number]

function* anthropic({ messages }: Anthropic): Generator<Item> {
  if (messages[0]?.role !== 'user') yield { problem: 'it does not begin with a user message' }
  for (const [index, { role, content }] of messages.entries()) {
    if (role === messages[index - 1]?.role) yield { problem: `two ${role} messages in a row` }
    if (!content.length) yield { problem: `an empty ${role} message` }
    for (const block of content) yield* anthropicBlock(block, role)
    if (role === 'user') yield { closed: `the end of user message ${index}` }
  }
}

function* anthropicBlock(block: Block, role: string): Generator<Item> {
  if (block.type === 'tool_result') yield { result: block.tool_use_id }
  else if (role === 'user') yield { closed: 'user block' }
  if (block.type === 'tool_use') yield { call: String(block.id), args: block.input }
  if (block.type === 'text' && isBlank(block.text)) yield { problem: 'blank text' }
  if (block.type === 'thinking' && !block.signature) yield { problem: 'a thought without its signature' }
}

interface Gemini {
  readonly contents: readonly {
    readonly role: string
    readonly parts: readonly {
      readonly text?: string
      readonly functionCall?: { readonly id?: string; readonly name: string; readonly args: unknown }
      readonly functionResponse?: { readonly id?: string; readonly name: string }
    }[]
  }[]
}

type GeminiPart = Gemini['contents'][number]['parts'][number]

/** All responses are in the one turn behind the calls. Without ids, names in order tie a response to its call. */
function* gemini({ contents }: Gemini): Generator<Item> {
  if (contents[0]?.role !== 'user') yield { problem: 'it does not begin with a user turn' }
  for (const { role, parts } of contents) {
    if (!parts.length) yield { problem: `an empty ${role} turn` }
    for (const part of parts) yield* geminiPart(part)
    if (role === 'user') yield { closed: 'the end of the user turn' }
  }
}

function* geminiPart({ functionCall, functionResponse, text }: GeminiPart): Generator<Item> {
  if (functionCall)
    yield { call: functionCall.id ?? functionCall.name, args: functionCall.args, byName: !functionCall.id }
  if (functionResponse) yield { result: functionResponse.id ?? functionResponse.name }
  if (text !== undefined && isBlank(text)) yield { problem: 'blank text' }
}

/** What a request says, one after the other. */
type Item =
  | { readonly call: string; readonly args: unknown; readonly byName?: boolean }
  | { readonly result: string | undefined }
  /** No call may be open here. */
  | { readonly closed: string }
  | { readonly problem: string }

class Findings {
  readonly problems: string[] = []
  readonly #seen = new Set<string>()
  #open: string[] = []

  read(item: Item): void {
    if ('problem' in item) this.problems.push(item.problem)
    else if ('closed' in item) this.close(item.closed)
    else if ('result' in item) this.#answer(item.result)
    else this.#call(item.call, item.args, item.byName)
  }
  close(where: string): void {
    if (this.#open.length) this.problems.push(`no result for ${this.#open.join(', ')} before ${where}`)
    this.#open = []
  }
  #answer(id: string | undefined): void {
    const due = this.#open.shift()
    if (id !== due) this.problems.push(`a result for ${id} where ${due ?? 'none'} was due`)
  }
  #call(id: string, args: unknown, byName = false): void {
    if (!byName) this.problems.push(...idProblems(id, this.#seen))
    if (!isObject(args)) this.problems.push(`${id} has no object as arguments`)
    this.#open.push(id)
  }
}

function idProblems(id: string, seen: Set<string>): string[] {
  const twice = seen.has(id)
  seen.add(id)
  return [
    ...(twice ? [`the id ${id} twice`] : []),
    ...(/^[\w-]{1,40}$/.test(id) ? [] : [`the id ${id} is not allowed`]),
  ]
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const isBlank = (content: unknown): boolean =>
  typeof content === 'string' ? !content.trim() : !Array.isArray(content) || !content.length

function parse(json: string | undefined): unknown {
  try {
    return JSON.parse(String(json))
  } catch {
    return undefined
  }
}

const checks: Readonly<Record<Protocol, (body: never) => Iterable<Item>>> = { chat, responses, anthropic, gemini }
