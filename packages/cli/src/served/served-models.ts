import type { Models } from '@turnbuckle/server'
import type { Model } from 'turnbuckle'
import { resolveModel } from 'turnbuckle/models'
import { usableModels } from '../compose/model/usable-models.ts'

/** The models that conversations of `turnbuckle serve` choose from: by the keys there are. */
export class ServedModels implements Models {
  readonly #found = new Map<string, Promise<Model>>()

  list(): Promise<readonly string[]> {
    return usableModels()
  }
  /** A failure is not kept: a key may be set meanwhile. */
  find(name: string): Promise<Model> {
    const known = this.#found.get(name)
    if (known) return known
    const finding = resolveModel(name)
    this.#found.set(name, finding)
    finding.catch(() => this.#found.delete(name))
    return finding
  }
  /** Forgets the models that were found: their keys or addresses are others now. */
  forget(): void {
    this.#found.clear()
  }
}
