import type { ProviderTool, ToolSpec } from '../core/base/ports.ts'
import { type CacheMarks, cached } from './prompt-cache.ts'
import { providerName } from './provider-id.ts'

/** The provider's form of each tool list, so that it is the same object call after call. */
const toolForms = new WeakMap<readonly ToolSpec[], readonly object[]>()

/** The model's side of a tool list: its provider, the spec it speaks, and the tools that the provider runs itself. */
export interface ToolsTarget {
  readonly provider: string
  readonly spec: string
  readonly own?: Readonly<Record<string, ProviderTool>> | undefined
}

/** Our tools and the provider's own, in the provider's form. */
export function toolsFor(
  tools: readonly ToolSpec[],
  target: ToolsTarget,
  marks: CacheMarks | undefined,
): { tools?: readonly object[] } {
  let ours = toolForms.get(tools)
  if (!ours) {
    ours = tools.map(tool => toolForm(tool, target))
    if (!tools.some(({ provider }) => provider)) toolForms.set(tools, ours)
  }
  const run = Object.entries(target.own ?? {}).map(([name, tool]) => providerForm(name, tool, target))
  const last = ours.at(-1)
  if (marks?.tools && last) ours = [...ours.slice(0, -1), cached(last, marks)]
  const all = run.length ? [...ours, ...run] : ours
  return all.length ? { tools: all } : {}
}

function toolForm({ name, description, schema, provider }: ToolSpec, target: ToolsTarget): object {
  if (provider && isDefinedBy(target.provider, provider)) return providerForm(providerName(name), provider, target)
  return { type: 'function', name: providerName(name), description, inputSchema: schema }
}

function providerForm(name: string, { id, args = {} }: ProviderTool, { spec }: ToolsTarget): object {
  return { type: spec === 'v2' ? 'provider-defined' : 'provider', id, name, args }
}

/** Clouds that serve another maker's models, with that maker's tools. */
const makers: Readonly<Record<string, string>> = { azure: 'openai', 'amazon-bedrock': 'anthropic' }

/** True where the provider knows the tool: `vertex.anthropic.messages` knows `anthropic.bash_20250124`. */
const isDefinedBy = (provider: string, { id }: ProviderTool): boolean => {
  const maker = id.split('.')[0]
  return provider.split('.').some(word => word === maker || makers[word] === maker)
}

/** From the provider's name of a tool to ours. */
export const ourName = (tools: readonly ToolSpec[], given: string): string =>
  tools.find(({ name }) => name === given || providerName(name) === given)?.name ?? given

/** The tools that are called with text instead of an object: arguments here are `{ input: text }`. */
export const freeformTools = (tools: readonly ToolSpec[]): readonly string[] =>
  tools.filter(({ provider }) => provider?.id === 'openai.custom').map(({ name }) => name)
