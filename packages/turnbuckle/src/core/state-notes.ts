import type { StateRecord } from './journal.ts'
import type { Run } from './run.ts'
import type { BranchState, TreeNode } from './tree.ts'

/** What the log is told of states. They are kept together with the checkpoint of the hooks that changed them. */
export class StateNotes {
  readonly #run: Run
  #changed: (StateRecord & { readonly node: TreeNode | undefined })[] | undefined
  /** Branch states that were changed before the turn had a message: they belong to its first one. */
  unplaced: BranchState | undefined

  constructor(run: Run) {
    this.#run = run
    this.unplaced = undefined
  }

  changed(record: StateRecord): void {
    if (!this.#run.journal) return
    this.#changed ??= []
    this.#changed.push({ ...record, node: this.#ownTip })
  }
  get #ownTip(): TreeNode | undefined {
    const { tip, id } = this.#run
    return tip?.turnId === id ? tip : undefined
  }
  /** An edit leaves the path behind, not what was learned on it: the new tip has the same states. */
  keepBranch(): void {
    this.unplaced = undefined
    for (const [name, value] of Object.entries(this.#run.branchState)) this.changed({ scope: 'branch', name, value })
  }

  flush(): void {
    const changed = this.#changed ?? []
    this.#changed = undefined
    for (const { node, ...record } of changed)
      if (record.scope === 'branch') this.#flushBranch(record, node)
      else this.#note(record)
  }
  /** A branch's state belongs to the message it was changed at, and to what has been put behind that since. */
  #flushBranch(record: StateRecord, node: TreeNode | undefined): void {
    const { name } = record
    const { branchState } = this.#run
    const tip = this.#ownTip
    if (node) this.#note({ ...record, node: node.id })
    if (!(name in branchState)) return
    const value = branchState[name]
    if (!tip) this.unplaced = { ...this.unplaced, [name]: value }
    else if (tip !== node) this.#note({ ...record, value, node: tip.id })
  }
  /** The turn has a message now. The log has it already when the turn is gone through again. */
  place(node: TreeNode, again: boolean): void {
    const unplaced = Object.entries(this.unplaced ?? {})
    this.unplaced = undefined
    if (!again) for (const [name, value] of unplaced) this.#note({ scope: 'branch', name, value, node: node.id })
  }

  #note(record: StateRecord & { readonly node?: string | undefined }): void {
    this.#run.journal?.note(this.#run.id, { note: 'state', ...record })
  }
}
