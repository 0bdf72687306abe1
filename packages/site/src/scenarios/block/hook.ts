import { block, middleware } from 'turnbuckle'

// A guard runs last, on the arguments that will really be used.
// Try it: block by ctx.call.args.path, or remove the return.
export default middleware({
  name: 'no-deletes',
  guard: true,
  beforeTool(ctx) {
    if (ctx.call.name.startsWith('delete')) return block('Deleting is not allowed here.')
  },
})
