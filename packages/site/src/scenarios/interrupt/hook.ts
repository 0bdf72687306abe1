import { middleware } from 'turnbuckle'

// Press Stop, or Esc, in mid-sentence: the text that was shown is kept and marked.
// Or say something while it talks: it comes after the step.
export default middleware({
  name: 'lookout',
  afterTurn(ctx) {
    console.log(`afterTurn: ${ctx.status}. After hooks always run.`)
  },
})
