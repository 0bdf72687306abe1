import type { ToolSpec } from '../core/base/ports.ts'
import { type CacheMarks, cached } from './prompt-cache.ts'
import { providerName } from './provider-id.ts'

/** A tool that the provider runs: `anthropic.tools.webSearch_20250305()` and the like. */
export interface ProviderTool {
  /** The provider's name of the tool: `openai.web_search`. */
  readonly id: string
  /** The settings of the provider's tool. */
  readonly args?: Readonly<Record<string, unknown>>
}

/** The provider's form of each tool list, so that it is the same object call after call. */
const toolForms = new WeakMap<readonly ToolSpec[], readonly object[]>()

/** Our tools and the provider's own, in the provider's form. */
export function toolsFor(
  tools: readonly ToolSpec[],
  own: Readonly<Record<string, ProviderTool>> | undefined,
  spec: string,
  marks: CacheMarks | undefined,
): { tools?: readonly object[] } {
  let functions = toolForms.get(tools)
  if (!functions) {
    functions = tools.map(({ name, description, schema }) => ({
      type: 'function',
      name: providerName(name),
      description,
      inputSchema: schema,
    }))
    toolForms.set(tools, functions)
  }
  const type = spec === 'v2' ? 'provider-defined' : 'provider'
  const run = Object.entries(own ?? {}).map(([name, { id, args = {} }]) => ({ type, id, name, args }))
  const last = functions.at(-1)
  if (marks?.tools && last) functions = [...functions.slice(0, -1), cached(last, marks)]
  const all = run.length ? [...functions, ...run] : functions
  return all.length ? { tools: all } : {}
}

/** From the provider's name of a tool to ours. */
export const ourName = (tools: readonly ToolSpec[], given: string): string =>
  tools.find(({ name }) => name === given || providerName(name) === given)?.name ?? given
