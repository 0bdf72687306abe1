import { middleware, stop } from 'turnbuckle'

// A model that asks for the same thing again and again gets no third answer.
export default middleware({
  name: 'breaker',
  guard: true,
  state: { last: '', times: 0 },
  beforeTool(ctx) {
    const now = `${ctx.call.name} ${JSON.stringify(ctx.call.args)}`
    const times = now === ctx.state.last ? ctx.state.times + 1 : 1
    if (times === 3) return stop('the same call three times', { say: 'I am going round in circles, so I stop.' })
    ctx.update(() => ({ last: now, times }))
  },
})
