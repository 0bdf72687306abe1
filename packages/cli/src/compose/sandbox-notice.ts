import { type FoundSandbox, findSandbox } from 'turnbuckle/tools'
import { type SandboxSources, sandboxOf } from './sandbox-of.ts'

/**
 * Says once that shell commands run without a sandbox although nobody has switched it off: when a person is first asked about one, or the
 * first one runs. A program that runs none has nothing to say.
 */
export class SandboxNotice {
  readonly #sources: SandboxSources
  readonly #find: () => Promise<FoundSandbox>
  #isSaid = false
  #listener: (text: string) => void = () => {}

  constructor(sources: SandboxSources, find: () => Promise<FoundSandbox> = findSandbox) {
    this.#sources = sources
    this.#find = find
  }

  /** The one listener. */
  onNotice(listener: (text: string) => void): void {
    this.#listener = listener
  }

  /** A person is asked about a call. */
  async lookAt(call: { readonly name: string }): Promise<void> {
    if (this.#isSaid || call.name !== 'shell' || !sandboxOf(this.#sources)) return
    const found = await this.#find()
    if (found.kind === 'none') this.say(found.reason)
  }

  /** A command runs without one. */
  say(reason: string): void {
    const wanted = sandboxOf(this.#sources)
    if (this.#isSaid || !wanted) return
    this.#isSaid = true
    const then = wanted.required
      ? ', so none will run: the settings require one.'
      : ': one that is allowed can do what you can.'
    this.#listener(`There is no sandbox for shell commands (${reason})${then}`)
  }
}
