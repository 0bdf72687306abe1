import type { Middleware, Model } from 'turnbuckle'
import type { Library } from './library.ts'

/** Ready-made middleware with settings under which it has something to do. */
const makers = {
  approval: ({ ready }) => ready.approval(),
  retry: ({ ready }) => ready.retry({ times: 2, random: () => 0.5 }),
  toolRetry: ({ ready }) => ready.toolRetry({ times: 1, random: () => 0.5 }),
  stepLimit: ({ ready }) => ready.stepLimit(2),
  toolLimit: ({ ready }) => ready.toolLimit({ max: 2 }),
  timeLimit: ({ ready }) => ready.timeLimit(5000),
  tokenLimit: ({ ready }) => ready.tokenLimit(40),
  costLimit: ({ ready }) => ready.costLimit(0.5),
  timeout: ({ ready }) => ready.timeout({ model: 1500, tool: 900 }),
  fallback: ({ ready }, model) => ready.fallback([model]),
  toolCache: ({ ready }) => ready.toolCache({ tools: ['ok', 'slow', 'throws'] }),
  modelCache: ({ ready }) => ready.modelCache(),
  loopDetection: ({ ready }) => ready.loopDetection(),
  errorThreshold: ({ ready }) => ready.errorThreshold(2),
  finishReason: ({ ready }) => ready.finishReason(),
  trim: ({ ready }) => ready.trim({ maxMessages: 4 }),
  clearToolResults: ({ ready }) => ready.clearToolResults({ keep: 1, over: 10 }),
  critic: ({ ready }, model) => ready.critic(model, 1),
  instructions: ({ ready }) => ready.instructions('Mind the gap.'),
  todo: ({ ready }) => ready.todo(),
  secrets: ({ ready }) => ready.secrets(),
  dryRun: ({ ready }) => ready.dryRun(),
  continuation: ({ ready }) => ready.continuation({ max: 2 }),
  analysis: ({ ready }) => ready.analysis({ after: 2 }),
} satisfies Record<string, (library: Library, model: Model) => Middleware | readonly Middleware[]>

export const readyNames: readonly string[] = Object.keys(makers)

export const readyMade = (name: string, library: Library, model: Model): readonly Middleware[] =>
  [makers[name as keyof typeof makers](library, model)].flat()
