import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { TurnbuckleError } from 'turnbuckle'
import type { WirePerson } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import { InTurn } from '../base/in-turn.ts'
import { type NamedPerson, readTokens } from './read-tokens.ts'
import { noteRevocation } from './revocations.ts'
import type { Role } from './roles.ts'

const madeSpace = 'server.people'
const revokedSpace = 'server.revokedTokens'

export interface PeopleOptions {
  /** The token of a single person, "me". */
  readonly token?: string | undefined
  /** Several people, as in TURNBUCKLE_TOKENS: `alice:…:owner,bob:…`. */
  readonly tokens?: string | undefined
  /** Further people, as the settings name them. */
  readonly people?: readonly NamedPerson[] | undefined
}

/** A token that was let in. It stays good for as long as `People.isLive` says so. */
export interface Visitor {
  readonly person: string
  readonly tokenHash: string
}

interface NewPerson {
  readonly name: string
  readonly role: Role
  /** Milliseconds from now on for which the token counts. */
  readonly expires?: number | undefined
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The people of a server, each with a role and a token, of which only the hash is kept. Some are named at the start; others are made,
 * and any is revoked, while it runs. With a store that outlasts the process, and other servers on it hear of it with their next `refresh`.
 */
export class People {
  /** The first person's token, for the address that the server prints. */
  readonly token: string
  readonly #named: readonly WirePerson[]
  readonly #store: ConversationStore | undefined
  readonly #inTurn = new InTurn()
  #made: readonly WirePerson[] = []
  #revoked: ReadonlySet<string> = new Set()

  constructor(options: PeopleOptions, store: ConversationStore | undefined) {
    const named = [...readTokens(options.tokens ?? ''), ...(options.people ?? [])]
    const own = options.token || (named.length ? undefined : randomBytes(24).toString('base64url'))
    const all: readonly NamedPerson[] = own ? [{ name: 'me', token: own, role: 'owner' }, ...named] : named
    checkNamed(all)
    this.token = all[0]?.token ?? ''
    this.#named = all.map(({ name, token, role }, i) => ({
      name,
      role: role ?? (i === 0 ? 'owner' : 'member'),
      tokenHash: digest(token).toString('hex'),
    }))
    this.#store = store
  }

  /** Everybody whose token counts now. */
  get list(): readonly WirePerson[] {
    const now = Date.now()
    const counts = ({ tokenHash, expiresAt = Infinity }: WirePerson) => !this.#revoked.has(tokenHash) && now < expiresAt
    return [...this.#named, ...this.#made].filter(counts)
  }
  find(name: string): WirePerson | undefined {
    return this.list.find(person => person.name === name)
  }
  /** The role of a person; nobody has less than a viewer. */
  readonly roleOf = (name: string): Role => this.find(name)?.role ?? 'viewer'

  /** The visitor of a token. Every wrong token takes the same time. */
  visitorOf(token: string): Visitor | undefined {
    const given = digest(token)
    let found: Visitor | undefined
    for (const { name, tokenHash } of this.list)
      if (timingSafeEqual(Buffer.from(tokenHash, 'hex'), given)) found ??= { person: name, tokenHash }
    return found
  }
  /** False once the token was revoked or has expired. */
  isLive({ tokenHash }: Visitor): boolean {
    return this.list.some(person => person.tokenHash === tokenHash)
  }

  /** Makes a person, and gives the token: it is not kept, and cannot be shown again. */
  make(person: NewPerson, by: string): Promise<WirePerson & { readonly token: string }> {
    return this.#inTurn.run(() => this.#make(person, by))
  }
  async #make({ name, role, expires }: NewPerson, by: string): Promise<WirePerson & { readonly token: string }> {
    if (this.find(name))
      throw new TurnbuckleError('person.exists', `There is a "${name}" already. Revoke their token first.`)
    const token = randomBytes(24).toString('base64url')
    const tokenHash = digest(token).toString('hex')
    const createdAt = Date.now()
    const expiresAt = expires === undefined ? undefined : createdAt + expires
    const person: WirePerson = {
      name,
      role,
      tokenHash,
      by,
      createdAt,
      ...(expiresAt === undefined ? {} : { expiresAt }),
    }
    this.#made = [...this.#made.filter(one => one.name !== name), person]
    await this.#store?.set(madeSpace, name, person, expiresAt)
    return { ...person, token }
  }

  /** Revokes a person's token. Throws `person.last` for the last owner whose token does not expire: nobody could make another. */
  revoke(name: string): Promise<void> {
    return this.#inTurn.run(() => this.#revoke(name))
  }
  async #revoke(name: string): Promise<void> {
    const person = this.find(name)
    if (!person) throw new TurnbuckleError('person.missing', `There is no "${name}" here.`)
    const owners = this.list.filter(one => one.role === 'owner' && one.expiresAt === undefined)
    if (owners.every(one => one.name === name) && owners.length)
      throw new TurnbuckleError('person.last', `${name} is the last owner. Make another one first.`)
    // A token of the environment or the settings comes back with the next start: its hash is remembered.
    const hashes = this.list.filter(one => one.name === name).map(({ tokenHash }) => tokenHash)
    this.#made = this.#made.filter(one => one.name !== name)
    this.#revoked = new Set([...this.#revoked, ...hashes])
    if (this.#store) await noteRevocation(this.#store, name)
    await this.#store?.set(madeSpace, name, undefined)
    for (const hash of hashes) await this.#store?.set(revokedSpace, hash, Date.now())
  }

  /** Reads what this server, or another on the same store, has made and revoked. */
  refresh(): Promise<void> {
    return this.#inTurn.run(() => this.#read())
  }
  async #read(): Promise<void> {
    if (!this.#store) return
    this.#made = (await this.#store.entries(madeSpace)).map(([, person]) => person as WirePerson)
    this.#revoked = new Set((await this.#store.entries(revokedSpace)).map(([hash]) => hash))
  }
}

function checkNamed(people: readonly NamedPerson[]): void {
  for (const [i, { name, token }] of people.entries()) {
    if (name === '*') throw new TurnbuckleError('person.invalid', '"*" stands for everybody, and is nobody’s name.')
    if (people.findIndex(one => one.name === name) < i)
      throw new TurnbuckleError('person.exists', `There are two people of the name "${name}".`)
    if (people.findIndex(one => one.token === token) < i)
      throw new TurnbuckleError('token.taken', `${name} has somebody else’s token. Each person needs their own.`)
  }
}
