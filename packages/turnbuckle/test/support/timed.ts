import { type Middleware, middleware, TurnbuckleError } from 'turnbuckle'

const late = () => new TurnbuckleError('test.late', 'too late', { kind: 'timeout' })

/** Ends each attempt of a stage after a time, through the signal of `next`. */
export const timed = (stage: 'model' | 'tool', ms: number): Middleware => {
  const limit = (clock: { after(ms: number, run: () => void): () => void }) => {
    const controller = new AbortController()
    return { signal: controller.signal, off: clock.after(ms, () => controller.abort(late())) }
  }
  return middleware({
    name: 'timed',
    wrapModel: (ctx, next) => {
      if (stage !== 'model') return next()
      const { signal, off } = limit(ctx.clock)
      return next(undefined, { signal }).finally(off)
    },
    wrapTool: (ctx, next) => {
      if (stage !== 'tool') return next()
      const { signal, off } = limit(ctx.clock)
      return next(undefined, { signal }).finally(off)
    },
  })
}
