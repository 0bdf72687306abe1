import type { Context, Pipeline, Stage } from 'turnbuckle'
import { type Life, never } from './life.ts'
import { sayHookSpan } from './middleware-of.ts'
import type { PipelinePlan } from './program.ts'

/** The pipeline of a program; a change that is refused is told and left out. */
export function pipelineOf(life: Life): Pipeline {
  let made = life.library.root.pipeline()
  for (const plan of life.program.pipeline)
    try {
      made = changed(life, made, plan)
    } catch (error) {
      life.say('person', 'pipeline refused', error)
    }
  return made
}

function changed(life: Life, made: Pipeline, { op, stage, does }: PipelinePlan): Pipeline {
  const { performancePipeline, debugPipeline } = life.library.root
  if (op === 'performance') return performancePipeline()
  if (op === 'debug') return debugPipeline(span => sayHookSpan(life, 'span', span))
  if (op === 'remove') return made.remove(stage)
  const own = ownStage(life, op === 'replace' ? stage : 'moderate', does)
  return made[op](stage, own)
}

function ownStage(life: Life, name: string, does: string): Stage {
  return life.library.root.stage({
    name,
    description: 'One of its own.',
    run(ctx, input) {
      if (life.dead) return never()
      life.say('hook', `stage ${name}`, { step: ctx.step, resumed: ctx.resumed })
      return deeds[does]?.(life, ctx, input)
    },
  })
}

const deeds: Readonly<Record<string, (life: Life, ctx: Context<undefined>, input: unknown) => unknown>> = {
  pass: (_life, _ctx, input) => input,
  text: () => 'text of its own',
  nothing: () => undefined,
  throw: () => {
    throw new Error('stage broke')
  },
  sleep: async (_life, ctx, input) => {
    await ctx.clock.sleep(321)
    return input
  },
  emit: (_life, ctx, input) => {
    ctx.emit({ type: 'custom.news', from: 'stage' })
    return input
  },
  ask: async (_life, ctx, input) => {
    await ctx.ask('question', { from: 'stage' }, { timeout: 777, fallback: { x: 1 } })
    return input
  },
  micro: async (_life, _ctx, input) => input,
  edit: (_life, ctx, input) => {
    ctx.messages.append({ role: 'user', content: 'From a stage.' })
    return input
  },
}
