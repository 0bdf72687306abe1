import { again, middleware, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'

// Another model, with a view of its own. This one can count.
const judge = scriptedModel(
  [prompt => (/\b120\b/.test(textOf(prompt.messages.at(-1))) ? 'ACCEPT' : '6 × 20 is not that.')],
  {
    repeat: true,
  },
)

export default middleware({
  name: 'critic',
  state: { round: 0 },
  async afterDecide(ctx) {
    if (ctx.goesOn || ctx.state.round === 2) return
    const { text } = await ctx.generate(judge, `Say ACCEPT, or what to mend: ${textOf(ctx.reply)}`)
    if (text === 'ACCEPT') return
    ctx.update(({ round }) => ({ round: round + 1 }))
    return again(text)
  },
})
