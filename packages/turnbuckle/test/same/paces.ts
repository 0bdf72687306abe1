import type { Middleware } from 'turnbuckle'
import type { Life } from './life.ts'
import type { CallPlan, Program } from './program.ts'

/**
 * Calls of one batch go side by side, and what they do in the same instant has no order that a version could promise. So
 * each call begins in an instant of its own, and so do its after hooks, which also those calls have that never run.
 */
export function paces(life: Life): readonly Middleware[] {
  const { program } = life
  if (program.batches === 'serial' || needsNone(program)) return []
  const { middleware } = life.library.root
  const first = middleware({
    name: 'pace',
    priority: -1000,
    async wrapTool(ctx, next) {
      await life.sleep(20, ctx.call.id)
      return next()
    },
  })
  const last = middleware({
    name: 'pace-after',
    priority: 1000,
    // Innermost of all; a model that only reports its calls refuses guards, and reports one batch at a time.
    guard: program.loop !== 'observe',
    async afterTool(ctx) {
      await life.sleep(400, ctx.call.id)
    },
  })
  return [first, last]
}

/** The cap on calls side by side: 1 where hooks are off, so that no hook can begin each call in an instant of its own. */
export const parallelOf = ({ program }: Life): number =>
  program.pipeline.some(({ op }) => op === 'performance') && !areRun(program) ? 1 : program.parallel

/** Programs without hooks whose calls all run: every tool waits for its own instant by itself. */
function needsNone({ owners, ready, turns, people, script }: Program): boolean {
  const hooked =
    owners.length || ready.length || turns.some(({ use }) => use) || people.some(({ does }) => does === 'use')
  return !hooked && areRun({ script })
}

const areRun = ({ script }: Pick<Program, 'script'>): boolean =>
  script.every(({ calls }) => calls.length < 2 || calls.every(isRun))

const isRun = ({ name, id, args }: CallPlan): boolean =>
  id === undefined && name !== 'missing' && typeof (args as { x?: unknown } | null)?.x === 'number'
