import { block, type Middleware, type Model, middleware, rewind, tool } from 'turnbuckle'
import {
  agentsFile,
  analysis,
  approval,
  audit,
  circuitBreaker,
  clarify,
  clearToolResults,
  continuation,
  costLimit,
  createMetrics,
  createTimeline,
  critic,
  critics,
  displayBuffer,
  dryRun,
  errorPolicy,
  errorThreshold,
  errorTracking,
  explore,
  fallback,
  finishReason,
  instructions,
  interruption,
  logging,
  loopDetection,
  memory,
  memoryAudit,
  metrics,
  modelCache,
  moderation,
  notify,
  pii,
  promptCache,
  promptInjection,
  rateLimit,
  refine,
  retrieve,
  retry,
  sampledMonitor,
  sanitize,
  secrets,
  skills,
  stepLimit,
  structured,
  summarize,
  telemetry,
  timeLimit,
  timeout,
  todo,
  tokenLimit,
  toolCache,
  toolGroups,
  toolLimit,
  toolRetry,
  toolSelect,
  trace,
  trim,
  tuner,
  validateInput,
  validateResult,
} from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { z } from 'zod'

const says = (text: string, id: string): Model => scriptedModel([text], { repeat: true, id })
const nothing = () => {}

/** Every middleware of the catalogue, ready to use. A new one is a new line. */
export const catalogue: Readonly<Record<string, () => Middleware | readonly Middleware[]>> = {
  // limits and flow
  stepLimit: () => stepLimit(12),
  timeLimit: () => timeLimit(600_000),
  tokenLimit: () => tokenLimit({ max: 2000, scope: 'conversation' }),
  costLimit: () => costLimit({ max: 1, scope: 'conversation' }),
  toolLimit: () => toolLimit({ max: 20, tools: { slow: 3 } }),
  finishReason: () => finishReason(),
  continuation: () => continuation({ max: 2 }),
  errorPolicy: () => errorPolicy({ toolBlocked: 'ignore', rateLimit: 'ignore' }),
  errorTracking: () => errorTracking(3),
  errorThreshold: () => errorThreshold(5),
  circuitBreaker: () => circuitBreaker({ consecutive: 4 }),
  loopDetection: () => loopDetection(),
  // resilience
  retry: () => retry({ baseMs: 1 }),
  toolRetry: () => toolRetry({ baseMs: 1, times: 1, repeat: 'all' }),
  fallback: () => fallback([says('From another model.', 'other')]),
  timeout: () => timeout({ model: 60_000, idle: 30_000, tool: 60_000 }),
  rateLimit: () => rateLimit({ limit: 8, perMs: 1000, maxWaitMs: 5000 }),
  modelCache: () => modelCache(),
  toolCache: () => toolCache({ tools: ['look'] }),
  // people and safety
  approval: () => approval(),
  clarify: () => clarify(),
  interruption: () => interruption({ keys: { listen: () => nothing } }),
  displayBuffer: () => displayBuffer({ display: { show: nothing } }),
  sanitize: () => sanitize(),
  validateInput: () => validateInput({ maxLength: 10_000 }),
  moderation: () => moderation({ words: ['unspeakable'] }),
  pii: () => pii(),
  secrets: () => secrets(),
  promptInjection: () => promptInjection(),
  dryRun: () => dryRun({ safe: ['look'] }),
  audit: () => audit({ sink: memoryAudit() }),
  validateResult: () => validateResult({ results: { look: () => undefined } }),
  // context
  trim: () => trim({ maxTokens: 40 }),
  summarize: () => summarize({ model: says('They looked.', 'small'), over: 20, keep: 2 }),
  clearToolResults: () => clearToolResults({ keep: 1 }),
  instructions: () => instructions('Be kind.'),
  skills: () => skills([{ name: 'dance', description: 'How to dance', instructions: 'Left, right.' }]),
  memory: () => memory({ recall: () => ['They like rain.'], extract: nothing }),
  retrieve: () => retrieve(() => ['Rain is wet.']),
  agentsFile: () => agentsFile({ read: () => 'House rules.' }),
  todo: () => todo(),
  toolSelect: () => toolSelect({ model: says('look, slow', 'picker'), max: 2 }),
  toolGroups: () =>
    toolGroups([{ name: 'music', description: 'Plays music', tools: [tool({ name: 'play', run: nothing })] }]),
  promptCache: () => promptCache(),
  // quality
  critic: () => critic(says('REVISE Say more.', 'critic'), { rounds: 1 }),
  critics: () => critics([{ judge: () => ({ accepted: true }) }, { judge: says('ACCEPT', 'judge') }]),
  refine: () => refine({ rounds: 1 }),
  analysis: () => analysis({ after: 3 }),
  explore: () => explore({ judge: () => 0 }),
  structured: () => structured(z.unknown(), { repairs: 1 }),
  // seeing
  logging: () => logging({ logger: nothing }),
  metrics: () => metrics(createMetrics()),
  telemetry: () => telemetry({ enabled: false }),
  trace: () => trace(createTimeline()),
  notify: () => notify(nothing),
  sampledMonitor: () => sampledMonitor(nothing),
  tuner: () => tuner(nothing),
}

/** What users write themselves, at its most awkward. */
export const own: typeof catalogue = {
  rewinding: () =>
    middleware({
      name: 'rewinding',
      state: 0,
      afterDecide(ctx) {
        if (ctx.state) return
        ctx.update(() => 1)
        return rewind(0, 'Try another way.')
      },
    }),
  rewriting: () =>
    middleware({
      name: 'rewriting',
      wrapModel: (ctx, next) => next({ ...ctx.prompt, instructions: 'Rewritten.' }),
      wrapTool: (ctx, next) => next({ ...ctx.call, args: { rewritten: true } }),
    }),
  blocking: () => middleware({ name: 'blocking', guard: true, tools: ['look'], beforeTool: () => block('not now') }),
  failing: () =>
    middleware({
      name: 'failing',
      afterTool() {
        throw new Error('an observer that fails')
      },
      onEvent() {
        throw new Error('an observer that fails')
      },
    }),
}
