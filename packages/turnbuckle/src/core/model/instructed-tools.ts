import { demand, nearest } from '../base/errors.ts'
import type { ToolSpec } from '../base/ports.ts'
import type { Instructions } from '../hooks/hook-types.ts'
import type { ToolChoices } from '../state/hook-data.ts'
import type { OfferedTools } from '../types/agent-core.ts'

/** The tools that a hook instructs a model with, as plain data for the log: names, or specs that differ from the agent's own. */
export function readToolChoices({ specs }: OfferedTools, given: NonNullable<Instructions['tools']>): ToolChoices {
  demand(
    Array.isArray(given),
    'tool.invalid',
    '`tools` is a list of names, regular expressions, or tools of the agent.',
  )
  return given.flatMap(one => {
    if (one instanceof RegExp) return specs.filter(({ name }) => name.search(one) >= 0).map(({ name }) => name)
    const name = typeof one === 'string' ? one : String((one as Partial<ToolSpec> | null)?.name)
    demandKnown(specs, name)
    if (typeof one === 'string' || 'run' in one) return name
    const { description, schema, provider } = one
    return { name, description, schema, ...(provider && { provider }) }
  })
}

/** A model is only offered what can run: other tools are the agent's (`createAgent`), or brought by middleware (`provides`). */
function demandKnown(specs: readonly ToolSpec[], wanted: string): void {
  const names = specs.map(({ name }) => name)
  const close = nearest(wanted, names)
  const hint = close ? `Did you mean "${close}"?` : `Tools here: ${names.join(', ') || 'none'}.`
  const fix = 'Give it to createAgent({ tools }), or to a middleware as `provides`, and choose it here by its name.'
  demand(names.includes(wanted), 'tool.unknown', `The agent has no tool "${wanted}". ${hint} ${fix}`)
}

/** The tools that a prompt offers: of those that a hook chose, the ones that the agent still has. */
export function offeredBy({ specs }: OfferedTools, choices: ToolChoices): readonly ToolSpec[] {
  return choices.flatMap(choice => {
    const own = specs.find(({ name }) => name === (typeof choice === 'string' ? choice : choice.name))
    return own ? (typeof choice === 'string' ? own : choice) : []
  })
}
