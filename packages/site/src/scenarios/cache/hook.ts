import { middleware, skip, textOf } from 'turnbuckle'

// State of the scope "conversation" holds for all its turns and branches.
export default middleware({
  name: 'cache',
  state: { answers: {} as Record<string, string> },
  scope: 'conversation',
  beforeModel(ctx) {
    const known = ctx.state.answers[textOf(ctx.draft.userMessage)]
    if (known) return skip(`${known} (from the cache)`)
  },
  afterModel(ctx) {
    if (ctx.status !== 'done') return
    const question = textOf(ctx.draft.userMessage)
    ctx.update(({ answers }) => ({ answers: { ...answers, [question]: textOf(ctx.reply) } }))
  },
})
