import type { ConversationSummary } from 'turnbuckle/client'
import { type Access, accesses, type ConversationAct, demandAccess, demandRight, rights } from './rights.ts'
import type { RoleOf } from './roles.ts'
import type { Shares } from './shares.ts'

/** A conversation, as far as access goes by it. */
interface Owned {
  readonly id: string
  readonly owner: string
  /** Of a sub-agent's conversation: the one that it works for in the end. Who may read or talk there may do so here. */
  readonly root?: Omit<Owned, 'root'> | undefined
}

/** The part of a summary that says whose the conversation is, or whom it is shared with. */
type Sharing = Pick<ConversationSummary, 'owner' | 'access' | 'people'>

/** The access of people to conversations: by their role, and by what is shared with them. */
export class ConversationAccess {
  readonly #roleOf: RoleOf
  readonly #shares: Shares

  constructor(roleOf: RoleOf, shares: Shares) {
    this.#roleOf = roleOf
    this.#shares = shares
  }

  /** True where for the person the conversation is there at all. */
  sees(person: string, conversation: Owned): boolean {
    return this.#accessOf(person, conversation) !== undefined
  }
  /** False where for the person the conversation is not there; throws `role.missing` where their role or access is too little. */
  mayDo(person: string, conversation: Owned, act: ConversationAct): boolean {
    demandRight(this.#roleOf, person, act)
    const access = this.#accessOf(person, conversation)
    if (access) demandAccess(access, conversation.owner, act)
    return access !== undefined
  }
  /** True for the owner, and for those whom the conversation is shared with to talk in. */
  talks(person: string, conversation: Owned): boolean {
    const access = this.#accessOf(person, conversation)
    return access === rights.talk.needs || access === 'own'
  }
  /** The owner, and those whom the conversation is shared with. */
  peopleOf({ id, owner }: Owned): readonly string[] {
    return [owner, ...this.#shares.of(id).keys()]
  }
  /** Others' conversations say whose they are; a person's own, whom they are shared with. */
  sharing(person: string, conversation: Owned): Sharing {
    const { id, owner } = conversation
    const people = this.#shares.of(id)
    if (owner === person) return people.size ? { people: Object.fromEntries(people) } : {}
    const access = this.#accessOf(person, conversation)
    return access && access !== 'own' ? { owner, access } : {}
  }
  /** The greater of what a person may do here, and in the conversation that a sub-agent's works for. */
  #accessOf(person: string, { root, ...own }: Owned): Access | undefined {
    const given = [own, ...(root ? [root] : [])].map(one => this.#shares.accessOf(person, one))
    return accesses.findLast(access => given.includes(access))
  }
}
