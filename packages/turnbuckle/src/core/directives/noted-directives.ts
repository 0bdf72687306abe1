import type { NotedDirective } from './directives.ts'

/** Directives for the resolver, in the order they were given: of a turn's step, or of one call until its batch merges them. */
export class NotedDirectives {
  readonly #list: NotedDirective[] = []

  get list(): readonly NotedDirective[] {
    return this.#list
  }
  note(...noted: readonly NotedDirective[]): void {
    this.#list.push(...noted)
  }
  clear(): void {
    if (this.#list.length) this.#list.length = 0
  }
}
