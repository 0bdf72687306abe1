import type { Message, Part } from '../../core/base/message.ts'
import { namingFiles } from '../../core/base/naming-files.ts'
import type { Model, Prompt, Usage } from '../../core/base/ports.ts'
import type { Draft } from '../../core/hooks/draft.ts'

export type Value = string | number | boolean | string[]

/** Our names of providers, and the conventions'. */
const providers: Readonly<Record<string, string>> = {
  bedrock: 'aws.bedrock',
  azure: 'azure.ai.openai',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
}

/** `anthropic/claude` is the model `claude` of `anthropic`. */
export function modelName({ id }: Model): { provider: string; name: string } {
  const slash = id.indexOf('/')
  if (slash < 0) return { provider: 'unknown', name: id }
  const provider = id.slice(0, slash)
  return { provider: providers[provider] ?? provider, name: id.slice(slash + 1) }
}

/** Parameters of the AI SDK, and what the conventions call them. */
const parameters: Readonly<Record<string, string>> = {
  maxOutputTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  topK: 'gen_ai.request.top_k',
  frequencyPenalty: 'gen_ai.request.frequency_penalty',
  presencePenalty: 'gen_ai.request.presence_penalty',
  seed: 'gen_ai.request.seed',
}

export function promptAttributes(prompt: Prompt): Record<string, Value> {
  const attributes: Record<string, Value> = {}
  for (const [name, key] of Object.entries(parameters)) {
    const value = prompt.params[name]
    if (typeof value === 'number') attributes[key] = value
  }
  return attributes
}

export const contentAttributes = ({ instructions }: Prompt, messages: string): Record<string, Value> => ({
  'gen_ai.input.messages': messages,
  ...(instructions ? { 'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: instructions }]) } : {}),
})

/** The tokens of a call or a turn; cached and reasoning tokens are part of the others. */
export function usageAttributes(usage: Usage): Record<string, Value> {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    ...(cachedInputTokens === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { 'gen_ai.usage.reasoning.output_tokens': reasoningTokens }),
  }
}

/** The usage, finish reason and provider's names of a model call of the loop. */
export function draftAttributes({ usage, finishReason, response }: Draft): Record<string, Value> {
  const attributes: Record<string, Value> = usage ? usageAttributes(usage) : {}
  if (response?.id) attributes['gen_ai.response.id'] = response.id
  if (response?.model) attributes['gen_ai.response.model'] = response.model
  if (finishReason) attributes['gen_ai.response.finish_reasons'] = [finishReason]
  return attributes
}

/** A message in the conventions' form. */
export const messageContent = ({ role, content }: Message): string =>
  JSON.stringify({ role, parts: content.map(asPart) }, namingFiles)

function asPart(part: Part): object {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, content: part.text }
    case 'call':
      return { type: 'tool_call', id: part.id, name: part.name, arguments: part.args }
    case 'result':
      return { type: 'tool_call_response', id: part.id, response: part.value }
    case 'file':
      return { type: 'file', mime_type: part.mediaType }
    case 'source':
      return { type: 'source', uri: part.url }
    case 'custom':
      return { type: part.kind }
    default:
      return part satisfies never
  }
}
