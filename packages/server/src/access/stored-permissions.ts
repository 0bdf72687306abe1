import type { StoredPermission } from 'turnbuckle/client'
import { type Grant, isStanding, type PermissionStore } from 'turnbuckle/middleware'
import type { ConversationStore } from 'turnbuckle/stores'
import { conversationOwner, defaultOwner } from './conversation-owner.ts'

/** Keeps the standing choices of each person. */
export interface Permissions {
  list(person: string): readonly StoredPermission[] | Promise<readonly StoredPermission[]>
  /** False when there is no choice of that id. */
  revoke(person: string, id: string): boolean | Promise<boolean>
}

const space = (person: string): string => `permissions.${person}`

/**
 * Standing choices in the store, each person's own: a permission of one does not count for another. With `mine`, those of the one
 * person of a terminal are kept there, as the chat keeps them.
 */
export function storedPermissions(
  store: ConversationStore,
  mine?: PermissionStore,
): Permissions & {
  /** For `approval({ store })`: the choices of a conversation's owner. */
  readonly storeFor: (conversation: { readonly id: string }) => PermissionStore
} {
  const ofMine = (person: string): PermissionStore | undefined => (person === defaultOwner ? mine : undefined)
  const list = async (person: string): Promise<readonly Grant[]> =>
    ofMine(person)?.list() ??
    (await store.entries(space(person)))
      .map(([, grant]) => grant as Grant)
      .filter(grant => isStanding(grant, Date.now()))
  const find = async (person: string, id: string) => (await list(person)).find(grant => grant.id === id)
  const revoke = async (person: string, id: string): Promise<boolean> => {
    const kept = ofMine(person)
    if (kept) return kept.revoke(id)
    if (!(await find(person, id))) return false
    await store.set(space(person), id, undefined)
    return true
  }
  return {
    list: async person => (await list(person)).map(grant => ({ ...grant })),
    revoke,
    storeFor({ id: conversation }) {
      const person = () => conversationOwner(store, conversation)
      return {
        list: async () => list(await person()),
        async add(grant) {
          const owner = await person()
          const kept = ofMine(owner)
          if (kept) await kept.add(grant)
          else await store.set(space(owner), grant.id, grant, grant.expiresAt)
        },
        revoke: async id => revoke(await person(), id),
        async use(id) {
          const owner = await person()
          const kept = ofMine(owner)
          if (kept) return kept.use(id)
          const grant = await find(owner, id)
          if (!grant || grant.usesLeft === 0) return false
          if (grant.usesLeft !== undefined)
            await store.set(space(owner), id, { ...grant, usesLeft: grant.usesLeft - 1 }, grant.expiresAt)
          return true
        },
      }
    },
  }
}
