import { type Message, textOf } from 'turnbuckle'
import { fromUIMessage, type SentUIMessage } from 'turnbuckle/ai-sdk'
import { notFound } from '../base/not-found.ts'

/** A message in the tree. */
interface PlacedNode {
  readonly id: string
  readonly parentId: string | null | undefined
  readonly turnId?: string | null | undefined
  readonly message: Message
}

/** The tree, and the place where each answer ends. */
export interface Tree {
  readonly nodes: readonly PlacedNode[]
  /** The last message of a turn, by the turn's id; of a given history, the message of that id. */
  readonly tipOf: (answerId: string) => string | undefined
}

/** The place in the tree of the last message that a client has sent. */
export interface Place {
  /** The message before it; `null` before the first, `undefined` for the head. */
  readonly parentId: string | null | undefined
  /** The last message, behind those that never arrived: the client shows them as sent. */
  readonly words: readonly SentUIMessage[]
}

/**
 * Finds the place by the answers that the client has: their ids are turns. Messages of people are found by their text, since an edited
 * one keeps the client's id. `fromRoot`: a list without answers begins the conversation anew, rather than behind the head.
 */
export function placeMessage(messages: readonly SentUIMessage[], tree: Tree, fromRoot: boolean): Place {
  const answer = messages.findLast(({ role }) => role === 'assistant')
  let parentId = answer ? tree.tipOf(answer.id) : fromRoot ? null : undefined
  if (answer && parentId === undefined) throw notFound('message', answer.id)
  const words: SentUIMessage[] = []
  const said = messages.slice(answer ? messages.lastIndexOf(answer) + 1 : 0).filter(({ role }) => role === 'user')
  for (const message of said) {
    const known = message === said.at(-1) ? undefined : knownMessage(message, tree, parentId ?? null)
    if (known) parentId = tree.tipOf(known.turnId ?? '') ?? known.id
    else words.push(message)
  }
  return { parentId, words }
}

/** The newest message of a person with the same text behind a message. */
export function knownMessage(message: SentUIMessage, { nodes }: Tree, parentId: string | null): PlacedNode | undefined {
  const text = textOf(fromUIMessage(message))
  return nodes.findLast(
    node => (node.parentId ?? null) === parentId && node.message.role === 'user' && textOf(node.message) === text,
  )
}
