import { AgentCore, type AgentHandle, type AgentOptions } from './core/agent.ts'
import { type Pipeline, pipeline } from './core/pipeline.ts'
import { circuitBreaker } from './middleware/circuit-breaker.ts'

/** What `createAgent` gives. */
export type Agent = AgentHandle

export interface CreateAgentOptions extends Omit<AgentOptions, 'pipeline'> {
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
  const named = use.flat().some(({ name }) => name === 'circuit-breaker')
  const withBreaker = breaker && !named ? [...use, circuitBreaker()] : use
  return new AgentCore({ ...rest, use: withBreaker, pipeline: options.pipeline ?? pipeline() }).handle(0)
}
