import type { ConversationStore } from 'turnbuckle/stores'

const space = 'server.revocations'

/** Names the last revocation of a person's token, so that what they made before it can be told from what a person of that name makes after it. */
export const lastRevocation = async (store: ConversationStore, person: string): Promise<string | undefined> =>
  (await store.get(space, person)) as string | undefined

/** Notes that a person's token is revoked. */
export const noteRevocation = async (store: ConversationStore, person: string): Promise<void> => {
  await store.set(space, person, crypto.randomUUID())
}
