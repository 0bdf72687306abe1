import type { Usage } from '../base/ports.ts'

interface PlannedStep {
  callId: string
  step: number
  name: string
  args: unknown
}

/** The events of ready-made middleware and tools, by type: with these a reader of a turn knows their fields. */
export interface ReadyMadeEvents {
  /** `agentTool`: a sub-agent has begun, in a conversation of its own. `durable`: one that a store keeps, so that it can be opened. */
  'agent.started': {
    callId: string
    agent: string
    agentConversationId: string
    agentTurnId: string
    durable?: boolean
  }
  /** `modelCache`, `toolCache`: the result was there already. */
  'cache.hit': { by: string; stage: string; callId?: string }
  /** `claudeHooks`: a hook's text for the person, or why one has failed. */
  'claude.notice': { text: string }
  /** `critic`, `critics`: the verdict on an answer. */
  'critic.judged': { by: string; round: number; decision: 'accept' | 'revise' | 'reject'; advice: string }
  /** `explore`: the index of the candidate that was chosen, how many there were, and their turns. */
  'explore.chosen': { best: number; of: number; turnIds: readonly string[] }
  /** `fallback`: another model stood in. */
  'fallback.used': { from: string; to: string; tried: readonly { model: string; error: string }[] }
  /** `dryRun`: a call that was planned and not run. */
  'plan.step': PlannedStep
  /** `dryRun`: the whole plan, when the turn has ended. */
  'plan.ready': { plan: readonly PlannedStep[] }
  /** `trim`: a prompt that the model refused as too long, in messages. */
  'prompt.halved': { from: number; to: number }
  /** `rateLimit`: a model call waits. */
  'rate.waiting': { delayMs: number; by: string }
  /** `retry`, `toolRetry`: another attempt follows after a while. */
  'retry.waiting': { stage: string; attempt: number; delayMs: number; error: string }
  /** `todo`: the list has changed. */
  'todo.changed': { items: readonly { text: string; status: 'open' | 'doing' | 'done' }[] }
  /** A limit has estimated the tokens of a model that does not report them. */
  'usage.estimated': { by: string } & Usage
}
