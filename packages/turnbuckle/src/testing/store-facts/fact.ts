import type { ConversationStore, StoreOptions } from '../../conversation/stores/create-store.ts'
import type { Commit, LogRecord } from '../../conversation/stores/driver.ts'
import type { Message } from '../../core/base/message.ts'

/** The stores that a fact is proved on. */
export interface Bench {
  readonly store: ConversationStore
  /** Another store on the same database. */
  another(options?: StoreOptions): Promise<ConversationStore>
}

/** A thing that a store must do; its proof throws where it does not. */
export interface Fact {
  readonly title: string
  prove(bench: Bench): Promise<void>
}

export type Entry = Omit<LogRecord, 'n'>

let at = 1_000
export const event = (seq: number, type: string, body: object = {}, turn: string | undefined = 't1'): Entry => ({
  seq,
  turn,
  type,
  body: { at: ++at, ...body },
})
export const note = (type: string, body: object, turn = 't1'): Entry => ({
  seq: undefined,
  turn,
  type: `note.${type}`,
  body: { ...body },
})
export const text = (id: string, words: string): Message => ({
  id,
  role: 'user',
  content: [{ type: 'text', text: words }],
})
export const added = (seq: number, id: string, parentId?: string, words = `says ${id}`): Entry =>
  event(seq, 'message.added', { messageId: id, parentId, role: 'user', message: text(id, words) })

export const commit = (records: readonly Entry[], more: Partial<Commit> = {}): Commit => ({
  conversation: 'c',
  holder: 'a',
  fence: undefined,
  leaseMs: 60_000,
  release: false,
  records,
  head: undefined,
  ...more,
})

/** A tree of two branches: 1 – 2 – 3, and 2 – 4. */
export async function grown(store: ConversationStore, more: Partial<Commit> = {}): Promise<number> {
  const records = [added(1, 'm1'), added(2, 'm2', 'm1'), added(3, 'm3', 'm2'), added(4, 'm4', 'm2')]
  return (await store.driver.commit(commit(records, { head: 'm4', ...more }))).fence
}

export const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)
/** A writer that is not of this machine: whether it lives is known by its lease alone. */
export const otherHost = 'elsewhere/1/x'
