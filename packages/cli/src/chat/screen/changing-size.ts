import type { TerminalOutput } from './screen.ts'

/** Milliseconds after the last change of the size until it counts as settled: tmux tells of a change up to 250 ms after it was made. */
const settleMs = 350

type Size = Pick<TerminalOutput, 'columns' | 'rows'>

/**
 * Tells whether a terminal's size is changing. Until it has settled, the size of the terminal at this moment cannot be known: only lines that fit into
 * the smallest window stay one row each, whatever the terminal does with them.
 */
export class ChangingSize {
  readonly #settled: () => void
  #known: Size
  #wait: NodeJS.Timeout | undefined

  /** `settled` is called when a size that has changed stays. */
  constructor({ columns, rows }: Size, settled: () => void) {
    this.#known = { columns, rows }
    this.#settled = settled
  }

  /** True from a change until the size has stayed the same for a while. */
  isChanging({ columns, rows }: Size): boolean {
    if (columns !== this.#known.columns || rows !== this.#known.rows) {
      this.#known = { columns, rows }
      this.close()
      this.#wait = setTimeout(() => {
        this.#wait = undefined
        this.#settled()
      }, settleMs)
    }
    return this.#wait !== undefined
  }

  close(): void {
    clearTimeout(this.#wait)
    this.#wait = undefined
  }
}
