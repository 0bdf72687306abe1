import { middleware } from 'turnbuckle'

// Eight hooks to begin with. Return block, skip, again or stop (imported from 'turnbuckle'), or nothing.
export default middleware({
  name: 'mine',
  beforeTurn(_ctx) {},
  beforeModel(ctx) {
    ctx.prompt.instructions += '\nBe kind.'
  },
  wrapModel: (_ctx, next) => next(),
  afterModel(_ctx) {},
  beforeTool(ctx) {
    console.log(`${ctx.call.name} is asked for`, ctx.call.args)
  },
  wrapTool: (_ctx, next) => next(),
  afterTool(_ctx) {},
  afterTurn(_ctx) {},
})
