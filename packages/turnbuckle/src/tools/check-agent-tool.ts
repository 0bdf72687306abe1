import { demand, nearest } from '../core/base/errors.ts'
import type { AgentToolOptions, Budget } from './agent-tool-options.ts'

/** The values that an option may have, in words and in code. */
type Kind = readonly [is: string, fits: (value: unknown) => boolean]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isName = (value: unknown): boolean => typeof value === 'string' || value instanceof RegExp
const amount: Kind = ['a number of at least 0', value => typeof value === 'number' && value >= 0]
const names: Kind = ['a list of names and regular expressions', value => Array.isArray(value) && value.every(isName)]
const run: Kind = ['a function', value => typeof value === 'function']
/** Checked where the tool itself is made. */
const checkedByTool: Kind = ['', () => true]

const budgetKinds: Readonly<Record<keyof Budget, Kind>> = { tokens: amount, cost: amount, ms: amount }
const optionKinds: Readonly<Record<keyof AgentToolOptions<unknown>, Kind>> = {
  name: checkedByTool,
  description: ['text', value => typeof value === 'string'],
  input: checkedByTool,
  schema: checkedByTool,
  prompt: run,
  allow: names,
  deny: names,
  maxSteps: amount,
  budget: ['{ tokens?, cost?, ms? }', isObject],
  timeout: amount,
  result: run,
}

/** A wrong option would be without effect, and a limit that is no number would never trip: better to hear of it when the tool is made. */
export function checkAgentTool(agent: unknown, options: unknown): void {
  const isAgent = isObject(agent) && typeof agent.conversation === 'function' && typeof agent.open === 'function'
  demand(isAgent, 'tool.invalid', 'agentTool needs an agent: agentTool(createAgent({ … }), { name }).')
  demand(
    isObject(options),
    'tool.invalid',
    'agentTool needs options with a name: agentTool(agent, { name: "research" }).',
  )
  checkMembers('agentTool', options, optionKinds)
  if (isObject(options.budget)) checkMembers('The budget of agentTool', options.budget, budgetKinds)
}

function checkMembers(
  owner: string,
  given: Readonly<Record<string, unknown>>,
  kinds: Readonly<Record<string, Kind>>,
): void {
  const known = Object.keys(kinds)
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    const close = nearest(name, known)
    const hint = close ? `Did you mean "${close}"? ` : ''
    demand(kind, 'tool.invalid', `${owner} has no "${name}". ${hint}There are: ${known.join(', ')}.`)
    const [is, fits] = kind
    demand(value === undefined || fits(value), 'tool.invalid', `${owner}: ${name} must be ${is}, not ${shown(value)}.`)
  }
}

const shown = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))
