import { release } from 'node:os'
import { type Middleware, middleware } from 'turnbuckle'
import { gitState } from './git-state.ts'

/** Tells the model where it works: folder, system, date and git state, as they are when the turn begins. */
export const environmentPrompt = (root: string): Middleware =>
  middleware({
    name: 'environment',
    async beforeTurn(ctx) {
      const git = await gitState(root)
      const today = new Date(ctx.clock.now()).toISOString().slice(0, 10)
      const lines = [
        `Folder: ${root}`,
        `System: ${process.platform} ${release()} (${process.arch})`,
        `Date: ${today}`,
        `Git: ${git ?? 'this folder is not in a repository'}`,
      ]
      ctx.instruct(lines.join('\n'), { for: 'turn' })
    },
  })
