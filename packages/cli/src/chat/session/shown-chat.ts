import { basename } from 'node:path'
import type { Usage } from 'turnbuckle'
import type { ComposedAgent } from '../../compose/compose-agent.ts'
import { gitBranch } from '../../compose/git-branch.ts'
import { addNotice } from '../transcript/change-item.ts'
import { type ChatState, emptyChatState, type WorkBeside } from '../transcript/chat-state.ts'

/** The state that the screen draws, and who is told when it changes. Draws nothing itself. */
export class ShownChat {
  readonly composed: ComposedAgent
  state: ChatState
  readonly #listeners = new Set<() => void>()

  constructor(composed: ComposedAgent) {
    this.composed = composed
    this.state = { ...emptyChatState, ...this.#about() }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  set(change: Partial<ChatState> | ((state: ChatState) => ChatState)): void {
    this.state = typeof change === 'function' ? change(this.state) : { ...this.state, ...change }
    for (const listener of this.#listeners) listener()
  }
  /** Adds a notice to the transcript, or the whole of a question with the changes that are `asked` about. */
  readonly say = (text: string, tone: 'plain' | 'warn' = 'plain', asked?: string): void => {
    this.set(state => addNotice(state, text, tone, asked))
  }

  /** Resolves when no turn runs. */
  idle(): Promise<void> {
    return new Promise(resolve => {
      const check = () => {
        if (this.state.running) return
        off()
        resolve()
      }
      const off = this.subscribe(check)
      check()
    })
  }

  /** Looks again at what the status line says of the agent and its place; a command may have changed the branch. */
  refresh(): void {
    this.set(this.#about())
  }
  #about(): Pick<ChatState, 'model' | 'folder'> {
    const { model, loaded } = this.composed
    const branch = gitBranch(loaded.root)
    const folder = `${basename(loaded.root)}${branch === undefined ? '' : ` (${branch})`}`
    return { model: model.id, folder }
  }

  /** Draws the same transcript again, on an empty screen. */
  repaint(change: Partial<ChatState> = {}): void {
    this.set(state => ({ ...state, ...change, epoch: state.epoch + 1 }))
  }
  /** Shows thoughts in full, or folds them; what was drawn is drawn anew. */
  toggleReasoning(): void {
    this.repaint({ unfolded: !this.state.unfolded })
  }

  /** Names work beside turns in the status line, as a command of the person's own, until `ended` is called. `end` ends the work; `report` shows what it writes. */
  startBeside(name: string, end: () => void): { ended(): void; report(output: string): void } {
    const work: WorkBeside = { name, end }
    let shown = work
    const change = (next: readonly WorkBeside[]) =>
      this.set(state => ({ ...state, beside: state.beside.flatMap(one => (one === shown ? next : [one])) }))
    this.set(state => ({ ...state, beside: [...state.beside, work] }))
    return {
      ended: () => change([]),
      report: output => {
        const next = { ...work, output }
        change([next])
        shown = next
      },
    }
  }
  endBeside(): void {
    for (const { end } of this.state.beside) end()
  }

  /** Adds what a model call outside of a turn has used. */
  count(usage: Usage | undefined): void {
    if (!usage) return
    const { tokens, cost, isCostPartial } = this.state
    this.set({
      tokens: tokens + usage.inputTokens + usage.outputTokens,
      cost: cost + (usage.cost ?? 0),
      isCostPartial: isCostPartial || usage.cost === undefined,
    })
  }
}
