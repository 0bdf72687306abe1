import { AgentCore, type AgentHandle, type AgentOptions } from './core/agent.ts'
import { type Pipeline, pipeline } from './core/pipeline.ts'
import type { Model } from './core/ports.ts'
import { circuitBreaker } from './middleware/circuit-breaker.ts'
import { namedModel } from './named-model.ts'

/** What `createAgent` gives. */
export type Agent = AgentHandle

export interface CreateAgentOptions extends Omit<AgentOptions, 'pipeline' | 'model'> {
  /** A model, or its name: `anthropic/claude-…`, `openai/…`, `google/…`, `ollama/…`, `compatible/…`, `offline`. */
  readonly model: Model | string
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
  const { breaker = true, use = [], ...rest } = options
  const model = typeof options.model === 'string' ? namedModel(options.model) : options.model
  const named = use.flat().some(({ name }) => name === 'circuit-breaker')
  const withBreaker = breaker && !named ? [...use, circuitBreaker()] : use
  return new AgentCore({ ...rest, model, use: withBreaker, pipeline: options.pipeline ?? pipeline() }).handle(0)
}
