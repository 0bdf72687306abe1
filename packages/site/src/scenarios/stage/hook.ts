import { again, middleware } from 'turnbuckle'

// The stage of agent.ts is called "moderate", so its hooks are
// beforeModerate, wrapModerate and afterModerate. Nobody had to add them.
export default middleware({
  name: 'judge',
  afterModerate(ctx) {
    if (ctx.result.rude) return again('Say it kindly.')
  },
})
