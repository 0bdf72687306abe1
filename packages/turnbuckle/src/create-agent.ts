import { AgentCore } from './core/agent/agent-core.ts'
import type { AgentOptions } from './core/agent/agent-options.ts'
import { demand, type ErrorPolicy, errorKinds, nearest, TurnbuckleError } from './core/base/errors.ts'
import type { Model } from './core/base/ports.ts'
import { flatUse } from './core/hooks/middleware.ts'
import { pipeline } from './core/stages/pipeline.ts'
import type { AgentHandle } from './core/types/agent-core.ts'
import type { Middleware } from './core/types/middleware.ts'
import type { Pipeline } from './core/types/pipeline.ts'
import { circuitBreaker } from './middleware/circuit-breaker.ts'
import { namedModel } from './named-model.ts'

/** What `createAgent` gives. */
export type Agent = AgentHandle

/** The options of `createAgent`. */
export interface CreateAgentOptions extends Omit<AgentOptions, 'pipeline' | 'model'> {
  /** A model, or its name: `anthropic/claude-…`, `openai/…`, `google/…`, `ollama/…`, `compatible/…`, `offline`. */
  readonly model: Model | string
  /** The order of stages; `pipeline()` by default. */
  readonly pipeline?: Pipeline
  /** `false` leaves out the circuit breaker that every agent has. */
  readonly breaker?: boolean
}

/**
 * Makes an agent.
 *
 * ```ts
 * const agent = createAgent({ model, tools: [weather], use: [approval()] })
 * const { text } = await agent.send('Umbrella in Oslo?')
 * ```
 */
export function createAgent(options: CreateAgentOptions): Agent {
  check(options)
  const { breaker = true, use = [], ...rest } = options
  const model = typeof options.model === 'string' ? namedModel(options.model) : options.model
  const named = flatUse(use).some(mw => mw?.name === 'circuit-breaker')
  const withBreaker = breaker && !named ? [...use, breakerOfAll()] : use
  return new AgentCore({ ...rest, model, use: withBreaker, pipeline: options.pipeline ?? pipeline() }).handle(0)
}

let usualBreaker: Middleware | undefined

/** The breaker that agents have by themselves. One for all of them: agents with the same middleware share their hook chains. */
function breakerOfAll(): Middleware {
  usualBreaker ??= circuitBreaker()
  return usualBreaker
}

const known: Readonly<Record<keyof CreateAgentOptions, true>> = {
  model: true,
  name: true,
  instructions: true,
  tools: true,
  use: true,
  pipeline: true,
  pipelines: true,
  store: true,
  maxSteps: true,
  parallelTools: true,
  maxDepth: true,
  errors: true,
  cleanupMs: true,
  schemaCheck: true,
  clock: true,
  ids: true,
  breaker: true,
}

/** A misspelt `use` would leave out every guard: better to hear of it here. */
function check(options: CreateAgentOptions): void {
  const { model } = options ?? {}
  demand(
    model,
    'model.missing',
    "An agent needs a model: createAgent({ model: 'anthropic/claude-...' }), or any Model.",
  )
  const fits = typeof model === 'string' || typeof model.stream === 'function'
  const give =
    'doStream' in Object(model)
      ? "Wrap an AI SDK model: aiSdk(model) from 'turnbuckle/ai-sdk'."
      : 'Give its name, or a Model.'
  demand(fits, 'model.invalid', `That is no model: it has no stream(prompt, options). ${give}`)
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    const close = nearest(name, Object.keys(known))
    const hint = close ? `Did you mean "${close}"?` : `There are: ${Object.keys(known).join(', ')}.`
    throw new TurnbuckleError('option.invalid', `createAgent has no option "${name}". ${hint}`)
  }
  for (const list of ['tools', 'use'] as const)
    demand(
      Array.isArray(options[list] ?? []),
      'option.invalid',
      `createAgent takes ${list} as a list: ${list}: [ ... ].`,
    )
  checkNumbers(options)
  checkErrors(options.errors ?? {})
}

/** The numbers of an agent, and the least that each may be. */
const least = { maxSteps: 0, parallelTools: 1, maxDepth: 0, cleanupMs: 0 } as const

function checkNumbers(options: CreateAgentOptions): void {
  for (const name of Object.keys(least) as (keyof typeof least)[]) {
    const { [name]: given = least[name] } = options
    const fits = typeof given === 'number' && given >= least[name]
    demand(fits, 'option.invalid', `createAgent takes ${name} as a number from ${least[name]}, not ${given}.`)
  }
}

/** A misspelt kind or word would leave the policy as it is. */
function checkErrors(errors: ErrorPolicy): void {
  for (const [kind, does] of Object.entries(errors)) {
    const all = errorKinds.join(', ')
    demand(
      errorKinds.includes(kind),
      'option.invalid',
      `createAgent({ errors }) has no kind "${kind}". There are: ${all}.`,
    )
    const fits = does === 'stop' || does === 'ignore' || does === undefined
    demand(fits, 'option.invalid', `createAgent({ errors: { ${kind} } }) is 'stop' or 'ignore', not ${does}.`)
  }
}
