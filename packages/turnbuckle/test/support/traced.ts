import { type Middleware, middleware } from 'turnbuckle'

/** A middleware that writes down when its hooks around the model run. */
export const traced = (name: string, order: string[], more: { priority?: number; guard?: boolean } = {}): Middleware =>
  middleware({
    name,
    ...more,
    beforeModel: () => void order.push(`before ${name}`),
    async wrapModel(_ctx, next) {
      order.push(`in ${name}`)
      const reply = await next()
      order.push(`out ${name}`)
      return reply
    },
    afterModel: () => void order.push(`after ${name}`),
  })
