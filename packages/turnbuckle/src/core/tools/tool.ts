import { boundedJson } from '../base/bounded-json.ts'
import { demand, nearest, TurnbuckleError } from '../base/errors.ts'
import type { Maybe } from '../base/maybe.ts'
import { encodedLength, isFile, isToolResult, type ToolResult } from '../base/message.ts'
import { isThenable, type ProviderTool, type Schema, type SchemaResult, type ToolSpec } from '../base/ports.ts'
import type { Tool } from '../types/tool.ts'
import type { ToolContext } from '../types/tool-context.ts'
import { schemaHint } from './schema-hint.ts'

/** The parts of a tool, as `tool` takes them. */
export interface ToolDefinition<Output> {
  /** The name the model calls it by: letters, digits, _ - . and :. */
  readonly name: string
  /** What it does, for the model. */
  readonly description?: string
  /** Any Standard Schema. */
  readonly input?: Schema<Output>
  /** JSON Schema for the model, where `input` cannot give one, or instead of `input`. */
  readonly schema?: object
  /**
   * The tool of a provider that this one runs: `anthropic.tools.bash_20250124()`, `openai.tools.shell()`. Its models are told of it as the
   * provider defines it, and call it with what that says; `input` or `schema` are for the check here, and for other models.
   */
  readonly provider?: ProviderTool | { readonly type?: string | undefined }
  /** Runs a call. What it returns is the result, as plain data; what it throws is an `error` result. */
  run(args: Output, ctx: ToolContext): unknown
  /** Runs alone, not beside other calls of its batch. */
  readonly sequential?: boolean
  /** Running it twice does no more than running it once: it may be run again after a crash, and by `toolRetry`. */
  readonly idempotent?: boolean
  /**
   * A person is asked before a call runs: always, or where the function says so of the parsed arguments. Holds as a guard does, in every
   * pipeline and sub-agent. Not asked again where a guard (`approval`) has just had a person's yes to the very call.
   */
  readonly needsApproval?: boolean | ((args: Output) => Maybe<boolean>)
  /** Changes nothing outside of its conversation: it may run while nothing is to be changed, as in the plan mode of the terminal. */
  readonly readOnly?: boolean
  /** Milliseconds of active time. */
  readonly timeout?: number
  /** JSON characters; what is longer is cut, and says so. 100,000 by default. */
  readonly maxResult?: number
}

/**
 * Makes a tool. The arguments' type follows from the schema.
 *
 * ```ts
 * tool({ name: 'weather', input: z.object({ city: z.string() }), run: ({ city }) => `Sunny in ${city}` })
 * ```
 */
export function tool<Output = Record<string, unknown>>(definition: ToolDefinition<Output>): Tool {
  demand(typeof definition === 'object' && definition, 'tool.invalid', 'Define it: tool({ name, input, run }).')
  checkMembers(definition)
  const {
    name,
    description = '',
    input,
    sequential = false,
    idempotent = false,
    needsApproval = false,
    readOnly = false,
    timeout,
    maxResult = 100_000,
    provider,
  } = definition
  demand(
    typeof name === 'string' && /^[\w.:-]{1,128}$/.test(name),
    'tool.name',
    `"${name}" cannot name a tool. Use letters, digits, _ - . and :, at most 128 of them.`,
  )
  demand(typeof definition.run === 'function', 'tool.run', `The tool "${name}" needs a function: run(args, ctx).`)
  demand(
    typeof needsApproval === 'boolean' || typeof needsApproval === 'function',
    'tool.invalid',
    `\`needsApproval\` of "${name}" is true, false, or a function of the arguments.`,
  )
  demand(
    provider === undefined || isProviderTool(provider),
    'tool.invalid',
    `\`provider\` of "${name}" is a tool of the provider's package, or { id, args }.`,
  )
  demand(
    definition.schema === undefined || isPlainData(definition.schema),
    'tool.schema',
    `The schema of "${name}" is no JSON Schema. One of a library (zod, valibot, arktype, ...) goes into \`input\`.`,
  )
  const schema = definition.schema ?? (input ? jsonSchema(name, input) : { type: 'object', properties: {} })
  const run: Tool['run'] = (args, ctx) => definition.run(args, ctx)
  const behaviour = { sequential, idempotent, needsApproval, readOnly, timeout, maxResult }
  return {
    name,
    description,
    schema,
    ...(provider && isProviderTool(provider) && { provider: providerTool(provider) }),
    input,
    run,
    ...behaviour,
  }
}

/** True for JSON Schema. A library's schema is an instance or has functions: told to a model as it is, it would describe and check nothing. */
function isPlainData(schema: object): boolean {
  const kind: object | null = Object.getPrototypeOf(schema)
  const isPlain = kind === null || Object.getPrototypeOf(kind) === null
  return isPlain && !Object.values(schema).some(value => typeof value === 'function')
}

/** The tool as the model is told of it. */
export const specOf = ({ name, description, schema, provider }: Tool): ToolSpec => ({
  name,
  description,
  schema,
  ...(provider && { provider }),
})

/** The types of the AI SDK do not tell a provider's tool from others. */
const isProviderTool = (provider: object): provider is ProviderTool =>
  typeof (provider as Partial<ProviderTool> | null)?.id === 'string'

/** The members that count: a tool of the AI SDK has more, schemas and functions, which no log can keep. */
const providerTool = ({ id, args }: ProviderTool): ProviderTool => ({ id, ...(args && { args }) })

/** Every member of a definition: one of `ToolDefinition` that is not here is a type error. */
const members: readonly string[] = Object.keys({
  name: true,
  description: true,
  input: true,
  schema: true,
  provider: true,
  run: true,
  sequential: true,
  idempotent: true,
  needsApproval: true,
  readOnly: true,
  timeout: true,
  maxResult: true,
} satisfies Record<keyof ToolDefinition<unknown>, true>)

/** Members that other libraries have, under the names they have here. */
const elsewhere: Readonly<Record<string, string>> = {
  parameters: 'input (zod, valibot, arktype) or schema (JSON Schema)',
  inputSchema: 'input (zod, valibot, arktype) or schema (JSON Schema)',
  execute: 'run',
  func: 'run',
}

/** A member that nobody reads would be without effect: a tool whose schema is called `parameters` would take anything. */
function checkMembers(definition: object): void {
  for (const member of Object.keys(definition)) {
    if (members.includes(member)) continue
    const fix = elsewhere[member] ?? nearest(member, members)
    const hint = fix ? `Use ${fix}.` : `There are: ${members.join(', ')}.`
    throw new TurnbuckleError('tool.invalid', `A tool has no "${member}". ${hint}`)
  }
}

/** The ways in which schema libraries give JSON Schema: the trait of Standard Schema, or a method of their own. */
interface WithJsonSchema {
  readonly '~standard': { readonly jsonSchema?: { input(options: { target: string }): object } }
  readonly toJSONSchema?: () => object
  readonly toJsonSchema?: () => object
}

function jsonSchema(name: string, input: Schema): object {
  const given = input as Schema & WithJsonSchema
  const standard = given['~standard'] as WithJsonSchema['~standard'] | undefined
  const elsewhere = 'JSON Schema goes into `schema` instead.'
  const unknown = `The input of "${name}" is no Standard Schema (zod, valibot, arktype, ...). `
  demand(standard, 'tool.input', unknown + (schemaHint(given) ?? elsewhere))
  const schema =
    standard.jsonSchema?.input({ target: 'draft-2020-12' }) ?? given.toJSONSchema?.() ?? given.toJsonSchema?.()
  if (schema) return schema
  const hint = schemaHint(given) ?? 'Pass it besides: tool({ input, schema: toJsonSchema(input) }).'
  const { vendor } = given['~standard']
  throw new TurnbuckleError(
    'tool.schema',
    `The input of "${name}" (${vendor}) cannot be turned into JSON Schema by itself. ${hint}`,
  )
}

/**
 * The parsed arguments; a promise of them where the schema is asynchronous. Throws the problems, for the model to read.
 * Contract: the tool is an agent's, which has given it a check by its JSON Schema where it had no `input`.
 */
export function validateArguments(tool: Tool, args: unknown): unknown {
  if (!tool.input) return args
  const checked = tool.input['~standard'].validate(args)
  return isThenable(checked) ? Promise.resolve(checked).then(result => unwrap(tool, result)) : unwrap(tool, checked)
}

function unwrap(tool: Tool, result: SchemaResult<unknown>): unknown {
  if (!result.issues) return result.value
  const problems = result.issues.map(({ message, path }) => {
    const where = path
      ?.map(part => (typeof part === 'object' && part !== null && 'key' in part ? part.key : part))
      .join('.')
    return where ? `${where}: ${message}` : message
  })
  throw new TurnbuckleError('tool.arguments', `The arguments of ${tool.name} do not fit. ${problems.join('; ')}`, {
    kind: 'validation',
  })
}

/** The result of a call whose tool returned `value`: plain data of bounded size. A returned error counts as thrown. */
export function toToolResult(value: unknown, { name, maxResult }: Tool): ToolResult {
  if (value instanceof Error) throw value
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TurnbuckleError('result.invalid', `${name} returned a ${typeof value}. Return text or plain data.`)
  return { status: 'ok', value: plain(value, maxResult) }
}

/** Reads a value that a hook gave as the result of a call; a plain value means `ok`. */
export function readResult(given: unknown): ToolResult {
  if (isToolResult(given)) return { status: given.status, value: plain(given.value, Infinity) }
  return { status: 'ok', value: plain(given, Infinity) }
}

/** A value as plain data: longer text is cut, with a note that it was; other objects are written as JSON would. */
function plain(value: unknown, max: number): unknown {
  if (typeof value === 'string')
    return value.length <= max ? value : cut(value.slice(0, max), `${value.length} characters`, max)
  if (typeof value !== 'object' || value === null) return isPlain(value) ? (value ?? null) : String(value)
  if (fits(value, max)) return value
  const room = max + fileLength(value)
  if (room > max && fits(value, room)) return value
  const { json, whole } = boundedJson(value, room)
  return whole ? JSON.parse(json) : cut(json, `more than ${max} characters`, max)
}

/** The characters of the files in a result. Files are kept whole and do not count as text; too large ones are an error. */
function fileLength(value: unknown): number {
  let length = 0
  for (const part of Array.isArray(value) ? value : [value]) if (isFile(part)) length += encodedLength(part)
  demand(
    length <= maxFiles,
    'result.large',
    `The files in this result have ${length} characters; ${maxFiles} is the limit.`,
  )
  return length
}
const maxFiles = 5_000_000

/** True for a scalar that JSON has a form for, and for undefined. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : value === undefined || value === null || typeof value === 'boolean' || typeof value === 'string'
const cut = (text: string, length: string, max: number): string => `${text}\n[cut: ${length}, ${max} are kept]`

/** True for plain data of at most `max` characters. Stops looking beyond that. */
function fits(value: object, max: number): boolean {
  let left = max
  const visitAll = (members: object, depth: number): boolean => {
    const prototype = Object.getPrototypeOf(members)
    if (depth > 64 || !(Array.isArray(members) || prototype === Object.prototype || prototype === null)) return false
    for (const [key, member] of Object.entries(members)) {
      left -= key.length + 4
      if (left < 0 || !visit(member, depth)) return false
    }
    return true
  }
  const visit = (member: unknown, depth: number): boolean => {
    if (typeof member === 'object' && member !== null) return visitAll(member, depth + 1)
    left -= typeof member === 'string' ? member.length + 2 : 5
    return left >= 0 && isPlain(member)
  }
  return visitAll(value, 0)
}
