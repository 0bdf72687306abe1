import { type Middleware, middleware } from 'turnbuckle'
import { environmentPrompt } from './environment-prompt.ts'
import { gitBranch } from './git-branch.ts'
import { gitChanges } from './git-changes.ts'

/** What the model is told of the place where it works, looked at anew when a turn begins: within a turn it stays the same. */
export class TurnEnvironment {
  readonly #root: string
  readonly #changes: typeof gitChanges
  prompt: string

  constructor(root: string, changes: typeof gitChanges = gitChanges) {
    this.#root = root
    this.#changes = changes
    this.prompt = environmentPrompt(root, { branch: gitBranch(root) })
  }

  get use(): Middleware {
    return middleware({
      name: 'environment',
      description: 'Tells the model where it works: the folder, the system and git’s branch.',
      onFailure: 'open',
      beforeTurn: async () => {
        const root = this.#root
        const branch = gitBranch(root)
        const changes = branch === undefined ? undefined : await this.#changes(root)
        this.prompt = environmentPrompt(root, { branch, changes })
      },
    })
  }
}
