import type { Middleware } from 'turnbuckle'
import type { ConversationSettings } from 'turnbuckle/client'
import type { ConversationStore, TurnToReplay } from 'turnbuckle/stores'
import { conversationSettings } from './conversation-settings.ts'
import type { Models } from './models.ts'

type Changed = readonly { readonly seq: number; readonly settings: ConversationSettings }[]

/**
 * The middleware that gave a recorded turn its conversation's own settings, for a replay: without it the turn's prompts would not be as they
 * were. The log is read once for all turns of a conversation that come together.
 */
export function recordedSettings(store: ConversationStore): (turn: TurnToReplay) => Promise<readonly Middleware[]> {
  let last: { readonly id: string; readonly changed: Changed } | undefined
  return async ({ conversationId: id, turnId }) => {
    if (last?.id !== id) last = { id, changed: await settingsChanges(store, id) }
    if (!last.changed.length) return []
    const [started] = await store.driver.records(id, { turn: turnId, limit: 1 })
    const settings = last.changed.findLast(({ seq }) => seq < (started?.seq ?? 0))?.settings
    return settings ? [conversationSettings(() => settings, onlyNames)] : []
  }
}

/** The conversation's own settings as its log has them now. */
export const settingsNow = async (store: ConversationStore, id: string): Promise<ConversationSettings | undefined> =>
  (await settingsChanges(store, id)).at(-1)?.settings

/** Each time that the conversation's own settings were changed, in order. */
async function settingsChanges(store: ConversationStore, id: string): Promise<Changed> {
  const records = await store.driver.records(id, { after: 0 })
  return records.flatMap(({ type, seq, body }) =>
    type === 'settings.changed' && seq !== undefined
      ? [{ seq, settings: body['settings'] as ConversationSettings }]
      : [],
  )
}

/** A replay compares the model's name; the record replies for it. */
const onlyNames: Models = {
  list: async () => [],
  find: async id => ({
    id,
    stream() {
      throw new Error('A replay calls no model.')
    },
  }),
}
