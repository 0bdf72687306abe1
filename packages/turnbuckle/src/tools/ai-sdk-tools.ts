import { TurnbuckleError } from '../core/base/errors.ts'
import type { ProviderTool, Schema } from '../core/base/ports.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import type { ToolContext } from '../core/types/tool-context.ts'
import { modelMessages } from './model-messages.ts'

/** A tool of the AI SDK: what its `tool()` and `dynamicTool()` give. */
export interface AiSdkTool {
  /** `provider` for a tool that the provider defines. Those that it also runs go to `aiSdk(model, { providerTools })`. */
  readonly type?: string | undefined
  /** The provider's name of a tool that it defines. */
  readonly id?: string | undefined
  /** The settings of a tool that the provider defines. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** What it does, for the model. */
  readonly description?: string | ((options: never) => string) | undefined
  /** A Standard Schema, or what `jsonSchema()` and `zodSchema()` give. */
  readonly inputSchema: unknown
  /** Runs a call; a stream of values tells of its progress, and the last one is the result. */
  readonly execute?: ((input: never, options: never) => unknown) | undefined
  /** Whether a person is asked before a call runs. */
  readonly needsApproval?: boolean | ((input: never, options: never) => boolean | PromiseLike<boolean>) | undefined
  /** The value as the model is told it. */
  readonly toModelOutput?: ((options: never) => unknown) | undefined
}

/** A schema of the AI SDK's own. */
interface AiSchema {
  readonly jsonSchema: object
  readonly validate?: (value: unknown) => Validation | PromiseLike<Validation>
}
type Validation =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error }

/**
 * Tools of the AI SDK, unchanged, by the names that the model calls them by.
 *
 * ```ts
 * createAgent({ model, tools: aiSdkTools({ weather }) })
 * ```
 */
export const aiSdkTools = (tools: Readonly<Record<string, AiSdkTool>>): Tool[] =>
  Object.entries(tools).map(([name, given]) => aiSdkTool(name, given))

function aiSdkTool(name: string, given: AiSdkTool): Tool {
  const { description, needsApproval = false } = given
  const execute = given.execute as ((input: unknown, options: object) => unknown) | undefined
  const provider = providerOf(given)
  if (provider && !execute)
    throw new TurnbuckleError(
      'tool.invalid',
      `"${name}" is a tool that its provider runs: aiSdk(model, { providerTools: { ${name} } }). One that you run needs \`execute\`.`,
    )
  if (!execute)
    throw new TurnbuckleError('tool.run', `The tool "${name}" has no \`execute\`: nobody could run its calls.`)
  const asks = needsApproval as boolean | ((input: unknown, options: object) => boolean | PromiseLike<boolean>)
  return tool<unknown>({
    name,
    description:
      typeof description === 'function' ? (description as (options: object) => string)({}) : (description ?? ''),
    ...(provider ? { provider } : inputOf(name, given.inputSchema)),
    needsApproval:
      typeof asks === 'function' ? async input => asks(input, { toolCallId: '', messages: [], context: {} }) : asks,
    async run(input, ctx) {
      const { call, signal } = ctx
      const messages = modelMessages(ctx.messages, call.id)
      const options = { toolCallId: call.id, messages, abortSignal: signal, context: {} }
      const output = await lastValue(execute(provider?.id === 'openai.custom' ? freeText(input) : input, options), ctx)
      return modelOutput(given, { toolCallId: call.id, input, output })
    },
  })
}

function providerOf({ type, id = '', args }: AiSdkTool): ProviderTool | undefined {
  if (type !== 'provider' && type !== 'provider-defined') return undefined
  return { id, ...(args && { args }) }
}
/** A freeform tool is called with text, which is the `input` of its arguments here. */
const freeText = (args: unknown): unknown => (args as { readonly input?: unknown }).input

/** The last value of a stream, whose others are progress; any other value as it is. */
async function lastValue(given: unknown, ctx: ToolContext): Promise<unknown> {
  if (typeof given !== 'object' || given === null || !(Symbol.asyncIterator in given)) return given
  let last: unknown
  let count = 0
  for await (const value of given as AsyncIterable<unknown>) {
    if (count++) ctx.emit({ type: 'tool.progress', callId: ctx.call.id, output: last })
    last = value
  }
  return last
}

function inputOf(name: string, given: unknown): { input?: Schema; schema?: object } {
  const schema: unknown = typeof given === 'function' && !('~standard' in given) ? given() : given
  if (typeof schema === 'object' && schema !== null && 'jsonSchema' in schema && !('~standard' in schema))
    return ownSchema(name, schema as AiSchema)
  return { input: schema as Schema }
}

function ownSchema(name: string, { jsonSchema, validate }: AiSchema): { input?: Schema; schema: object } {
  if (jsonSchema instanceof Promise)
    throw new TurnbuckleError(
      'tool.schema',
      `The JSON Schema of "${name}" comes later. Await it: jsonSchema(await schema.jsonSchema).`,
    )
  if (!validate) return { schema: jsonSchema }
  const check: Schema['~standard']['validate'] = async value => {
    const result = await validate(value)
    return result.success ? { value: result.value } : { issues: [{ message: result.error.message }] }
  }
  return { schema: jsonSchema, input: { '~standard': { version: 1, vendor: 'ai-sdk', validate: check } } as Schema }
}

interface Output {
  readonly toolCallId: string
  readonly input: unknown
  readonly output: unknown
}

/** The output as the tool wants the model to have it. */
async function modelOutput({ toModelOutput }: AiSdkTool, output: Output): Promise<unknown> {
  if (!toModelOutput) return output.output
  const { type, value, reason } = (await (toModelOutput as (given: Output) => unknown)(output)) as {
    readonly type: string
    readonly value?: unknown
    readonly reason?: string
  }
  if (type === 'error-text' || type === 'error-json' || type === 'execution-denied')
    throw new Error(typeof value === 'string' ? value : (reason ?? JSON.stringify(value)))
  return type === 'content' && Array.isArray(value) ? value.map(contentPart) : value
}

/** A part of an output: text, or a file with its data. */
function contentPart(part: { type: string; text?: string; data?: unknown; mediaType?: string }): unknown {
  if (part.type === 'text') return part.text
  const { data, mediaType } = part
  return data !== undefined && mediaType ? { type: 'file', mediaType, data } : part
}
