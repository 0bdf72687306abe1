import { type Call, resultMessage } from '../../core/base/message.ts'
import { answersFirst, callsMadeBy, isProblem, openAfter } from '../../core/history/call-pairing.ts'
import { notImportable } from './not-importable.ts'
import type { PortableConversation, PortableNode } from './portable-conversation.ts'

/** Every call gets its result, so that the history holds for any provider. A result that answers no call is refused. */
export function repairImported(given: PortableConversation): PortableConversation {
  const repairing = new Repair(given.nodes)
  for (const node of given.nodes) repairing.add(node)
  repairing.closeLeaves()
  const head = given.head && repairing.tailOf(given.head)
  return { ...given, nodes: repairing.nodes, ...(head ? { head } : {}) }
}

class Repair {
  readonly nodes: PortableNode[] = []
  readonly #given: ReadonlyMap<string, PortableNode>
  /** Calls that have no result yet, by the message behind which they are open. */
  readonly #open = new Map<string, readonly Call[]>()
  /** The last of the results that were put behind a message. */
  readonly #tails = new Map<string, string>()

  constructor(given: readonly PortableNode[]) {
    this.#given = new Map(given.map(node => [node.id, node]))
  }

  tailOf(id: string): string {
    return this.#tails.get(id) ?? id
  }

  add(node: PortableNode): void {
    const { id, parent, message } = node
    const waiting = this.#open.get(parent ?? '') ?? []
    const next = openAfter(waiting, message)
    if (message.role === 'tool') {
      if (isProblem(next) || !answersFirst(waiting, message)) throw strayResult(id)
      this.#open.set(id, next)
      this.nodes.push(node)
      return
    }
    if (isProblem(next) && parent !== undefined) this.#close(parent)
    this.#open.set(id, callsMadeBy(message))
    this.nodes.push(parent === undefined ? node : { ...node, parent: this.tailOf(parent) })
  }

  closeLeaves(): void {
    const parents = new Set(this.nodes.map(({ parent }) => parent))
    for (const id of this.#given.keys()) if (this.#open.get(id)?.length && !parents.has(id)) this.#close(id)
  }

  #close(id: string): void {
    const node = this.#given.get(id)
    if (!node || this.#tails.has(id)) return
    for (const call of this.#open.get(id) ?? []) {
      const made = `${id}.${call.id}~imported`
      const result = { status: 'unknown', value: 'The result was not in the imported file.' } as const
      const message = resultMessage(made, call, result)
      this.nodes.push({ id: made, parent: this.tailOf(id), turn: node.turn, at: node.at, message })
      this.#tails.set(id, made)
    }
  }
}

const strayResult = (id: string) => notImportable(`the message "${id}" answers no call that is open there`)
