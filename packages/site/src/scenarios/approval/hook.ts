import { block, middleware } from 'turnbuckle'

// The turn waits for you, and its clock stands still. Try another limit.
export default middleware({
  name: 'approval',
  guard: true,
  async beforeTool(ctx) {
    const { euros } = ctx.call.args as { euros: number }
    if (euros <= 100) return
    const answer = await ctx.ask('permission', ctx.call, { fallback: 'deny' })
    if (answer.decision === 'deny') return block(answer.reason)
  },
})
