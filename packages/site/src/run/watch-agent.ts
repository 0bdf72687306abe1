import { type Agent, type Context, middleware, type Span } from 'turnbuckle'
import type { Pace } from './pace.ts'
import type { DrawnAgent, Told, ToldSpan } from './protocol.ts'

/** The name of the playground's own middleware, which nobody is shown. */
export const watcher = 'playground'

/** Adds the playground's own middleware: it tells of stages and hooks, and lets each stage begin when the page is up to date. */
export function watchAgent(agent: Agent, pace: Pace, tell: (told: Told) => void): void {
  const wait = Object.fromEntries(
    agent.pipeline.names.map(name => [`before${capital(name)}`, () => pace.caughtUp()]),
  ) as { beforeTurn: () => Promise<void> }
  agent.use(
    middleware({
      name: watcher,
      priority: -1000,
      ...wait,
      onOpen: (span, ctx) => {
        if (span.by === watcher) return
        tell({ kind: 'opened', span })
        // The resolver has read the directives of the step before.
        if (span.kind === 'stage' && span.stage === 'step') tellDecisions(ctx, tell)
      },
      onTrace: (span, ctx) => {
        if (span.by === watcher) return
        tell({ kind: 'closed', span: told(span) })
        if (span.directive || ['step', 'turn'].includes(span.stage)) tellDecisions(ctx, tell)
      },
    }),
  )
}

export function tellDecisions({ turn }: Pick<Context, 'turn'>, tell: (told: Told) => void): void {
  tell({ kind: 'decisions', turnId: turn.id, decisions: turn.explain().map(decision => ({ ...decision })) })
}

function told({ changed = [], exchanges: _exchanges, ...span }: Span): ToldSpan {
  return { ...span, changed: changed.map(({ what }) => what) }
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** The stages and hooks of an agent, for a drawing. */
export function drawAgent(agent: Agent): DrawnAgent {
  const names = agent.pipeline.names
  const stageOf = (point: string): string =>
    names.find(name => point.replace(/^(before|wrap|after)/, '') === capital(name)) ?? onStage[point] ?? 'turn'
  return {
    turnStages: agent.pipeline.turn.map(({ name }) => name),
    stepStages: agent.pipeline.step.map(({ name }) => name),
    hooks: agent
      .hooks()
      .filter(hook => hook.middleware !== watcher)
      .map(({ point: at, middleware: by, guard }) => ({ stage: stageOf(at), at, by, guard })),
  }
}

/** Hooks that are named after no stage belong to the one in which they are called most. */
const onStage: Readonly<Record<string, string>> = { onChunk: 'model' }
