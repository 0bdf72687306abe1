import { block, middleware } from 'turnbuckle'

/** A hook before each tool call: the fourth note of a turn is blocked, and the model is told why. */
export const noteLimit = middleware({
  name: 'note-limit',
  state: { notes: 0 },
  beforeTool(ctx) {
    if (ctx.call.name !== 'add_note') return
    if (ctx.state.notes === 3) return block('Three notes are enough for one turn.')
    ctx.update(({ notes }) => ({ notes: notes + 1 }))
  },
})
