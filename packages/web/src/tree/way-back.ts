import { create } from 'zustand'

interface WayBack {
  readonly conversationId: string | undefined
  /** Heads that the person left in the tree, the last one at the end. */
  readonly heads: readonly string[]
}

const longest = 50

/** The way back to where the person was before walking about in the tree. It is kept while the panel is closed. */
export const useWayBack = create<WayBack>()(() => ({ conversationId: undefined, heads: [] }))

/** Keeps the head that is left for another message. */
export function leaveHead(conversationId: string | undefined, head: string): void {
  useWayBack.setState(({ conversationId: before, heads }) => ({
    conversationId,
    heads: [...(before === conversationId ? heads : []), head].slice(-longest),
  }))
}

/** Takes the last head off the way back. */
export function takeWayBack(): string | undefined {
  const { heads } = useWayBack.getState()
  useWayBack.setState({ heads: heads.slice(0, -1) })
  return heads.at(-1)
}
