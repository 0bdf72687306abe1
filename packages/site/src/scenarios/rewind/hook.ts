import { middleware, rewind, textOf } from 'turnbuckle'

// Really runs the code that the model has written.
function runTests(code: string): string | undefined {
  const add = new Function('a', 'b', code)
  return add(2, 3) === 5 ? undefined : `add(2, 3) gave ${add(2, 3)}`
}

// The failed try stays in the tree; the model sees what failed, not its try.
export default middleware({
  name: 'tests-pass',
  afterDecide(ctx) {
    if (ctx.goesOn || ctx.step >= 5) return
    const failure = runTests(textOf(ctx.reply))
    if (failure) return rewind(0, `A first try failed: ${failure}. Find another way.`)
  },
})
