import { again, finish, middleware, stop } from 'turnbuckle'

// Three hooks want three things. One resolver decides, by rank:
// fail > stop > rewind > goto > again > finish
const content = middleware({ name: 'content', afterModel: () => finish('good enough') })
const eager = middleware({ name: 'eager', afterModel: () => again('More, please.') })
const budget = middleware({
  name: 'budget',
  afterModel: ctx => (ctx.step === 2 ? stop('three verses are enough') : undefined),
})

export default [content, eager, budget]
