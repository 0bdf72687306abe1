import type { ConversationStore } from 'turnbuckle/stores'
import type { WrittenInTurn } from './written-turns.ts'

/** What is kept of a conversation. */
export interface KeptTurns {
  /** The turns that wrote, the last one last. */
  readonly turns: readonly WrittenInTurn[]
  /** Ids of turns that wrote, too, but of which nothing is kept any more. */
  readonly dropped: readonly string[]
}

const space = 'file-versions'
const month = 30 * 24 * 60 * 60 * 1000
/** Turns of a conversation that can be undone, one after the other. */
const mostTurns = 50
const mostDropped = 1000
const nothing: KeptTurns = { turns: [], dropped: [] }

/** The turns of conversations that wrote, in a store that other processes write to as well. */
export class TurnKeeper {
  readonly #store: ConversationStore
  readonly #kept = new Map<string, KeptTurns>()
  /** Conversations whose turns the store did not take: memory knows more of them. */
  readonly #unsaved = new Set<string>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(store: ConversationStore) {
    this.#store = store
  }

  /** The turns of a conversation as they were read last; undefined where they never were. */
  known(conversation: string): KeptTurns | undefined {
    return this.#kept.get(conversation)
  }
  /** The turns of a conversation, those of other processes too. */
  read(conversation: string): Promise<KeptTurns> {
    return this.change(conversation, kept => kept)
  }

  /** Changes the turns of a conversation as they are in the store now. Changes are made one after the other: calls of one batch end at any time. */
  change(conversation: string, how: (kept: KeptTurns) => KeptTurns): Promise<KeptTurns> {
    const changed = this.#last.then(async () => {
      const before = await this.#read(conversation)
      const after = withoutOldest(how(before))
      this.#kept.set(conversation, after)
      if (after !== before) await this.#save(conversation, before, after)
      return after
    })
    this.#last = changed.catch(() => {})
    return changed
  }

  /** A store that cannot be read must not fail the turn: this process can still undo. */
  async #read(conversation: string): Promise<KeptTurns> {
    const known = this.#kept.get(conversation) ?? nothing
    if (this.#unsaved.has(conversation)) return known
    try {
      return await readTurns(this.#store, conversation, known)
    } catch {
      return known
    }
  }

  async #save(conversation: string, before: KeptTurns, after: KeptTurns): Promise<void> {
    const expiresAt = Date.now() + month
    const saved = new Set(this.#unsaved.has(conversation) ? [] : before.turns)
    const ids = after.turns.map(({ turnId }) => turnId)
    this.#unsaved.add(conversation)
    try {
      for (const turn of after.turns)
        if (!saved.has(turn)) await this.#store.set(space, placeOf(conversation, turn.turnId), turn, expiresAt)
      await this.#store.set(space, conversation, [...after.dropped, ...ids], expiresAt)
      for (const { turnId } of before.turns)
        if (!ids.includes(turnId)) await this.#store.set(space, placeOf(conversation, turnId), undefined)
      this.#unsaved.delete(conversation)
    } catch {
      // Kept in memory.
    }
  }
}

function withoutOldest(kept: KeptTurns): KeptTurns {
  const { turns, dropped } = kept
  if (turns.length <= mostTurns) return kept
  const oldest = turns.slice(0, -mostTurns).map(({ turnId }) => turnId)
  return { turns: turns.slice(-mostTurns), dropped: [...dropped, ...oldest].slice(-mostDropped) }
}

const placeOf = (conversation: string, turnId: string): string => `${conversation}/${turnId}`

/** Turns that are known already are not read again: they have whole files. */
async function readTurns(store: ConversationStore, conversation: string, known: KeptTurns): Promise<KeptTurns> {
  const listed = (await store.get(space, conversation)) ?? []
  // An earlier version kept the last turn alone.
  if (!Array.isArray(listed)) return { turns: [listed as WrittenInTurn], dropped: [] }
  const ids = listed.map(String)
  const turns = new Map(known.turns.map(turn => [turn.turnId, turn]))
  const unknown = ids.filter(id => !turns.has(id) && !known.dropped.includes(id))
  for (const turn of await Promise.all(unknown.map(id => store.get(space, placeOf(conversation, id)))))
    if (turn !== undefined) turns.set((turn as WrittenInTurn).turnId, turn as WrittenInTurn)
  return {
    turns: ids.flatMap(id => turns.get(id) ?? []),
    dropped: ids.filter(id => !turns.has(id)),
  }
}

export async function eraseFileVersions(store: ConversationStore, conversation: string): Promise<void> {
  const listed = await store.get(space, conversation)
  for (const turnId of Array.isArray(listed) ? listed : [])
    await store.set(space, placeOf(conversation, String(turnId)), undefined)
  await store.set(space, conversation, undefined)
}
