import type { BranchState, TreeNode } from '../history/tree.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { StateRecord } from '../types/unfinished-turn.ts'

/** States for the log, kept together with the checkpoint of the hooks that changed them. */
export class StateLog {
  readonly #turn: TurnState
  #changed: (StateRecord & { readonly node: TreeNode | undefined })[] | undefined

  constructor(turn: TurnState) {
    this.#turn = turn
  }

  changed(record: StateRecord): void {
    if (!this.#turn.journal) return
    this.#changed ??= []
    const node = this.#ownTip
    const { scope, name } = record
    // The log needs the last of several changes before a checkpoint: no process resumes in between.
    const known = this.#changed.findIndex(one => one.scope === scope && one.name === name && one.node === node)
    if (known >= 0) this.#changed.splice(known, 1)
    this.#changed.push({ ...record, node })
  }
  get #ownTip(): TreeNode | undefined {
    const { branch, id } = this.#turn
    return branch.tip?.turnId === id ? branch.tip : undefined
  }
  /** The branch's states that are otherwise than they were before. */
  #since(before: BranchState = {}): StateRecord[] {
    const branchState = this.#turn.branch.state
    return Object.keys({ ...before, ...branchState })
      .filter(name => before[name] !== branchState[name])
      .map(name => ({ scope: 'branch', name, value: branchState[name] }))
  }
  /** An edit leaves the path behind, not what was learned on it: the new tip has the same states. */
  keepBranch(before: BranchState | undefined): void {
    for (const record of this.#since(before)) this.changed(record)
  }
  /** The turn's last message has the states as they are now, also where hooks have gone back to others. */
  keepHere(): void {
    const tip = this.#ownTip
    const branchState = this.#turn.branch.state
    if (!tip || tip.state === branchState) return
    this.keepBranch(tip.state)
    tip.state = branchState
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
    const tip = this.#ownTip
    if (node) this.#note({ ...record, node: node.id })
    if (tip && tip !== node) this.#note({ ...record, value: this.#turn.branch.state[record.name], node: tip.id })
  }
  /** In the log a message has the states of the one before it; what is otherwise is told. */
  place(node: TreeNode, before: BranchState | undefined): void {
    for (const record of this.#since(before)) this.#note({ ...record, node: node.id })
  }

  #note(record: StateRecord & { readonly node?: string | undefined }): void {
    this.#turn.journal?.note(this.#turn.id, { note: 'state', ...record })
  }
}
