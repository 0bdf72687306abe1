import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Role } from './roles.ts'

/** Tokens and their persons. A conversation belongs to the person who made it. */
export interface Tokens {
  /** The person of a token. Every wrong token takes the same time. */
  personOf(token: string): string | undefined
  /** The rights of a person: the first is the owner, others are members. */
  roleOf(person: string): Role
  /** The first person's token, for the address that the server prints. */
  readonly token: string
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** `tokens` as in TURNBUCKLE_TOKENS, `alice:…,bob:…`. Without any token a random one is made. */
export function createTokens(options: {
  readonly token?: string | undefined
  readonly tokens?: string | undefined
}): Tokens {
  const named = readTokens(options.tokens ?? '')
  const own = options.token || (named.length ? undefined : randomBytes(24).toString('base64url'))
  const all = own ? [{ name: 'me', token: own }, ...named] : named
  const known = all.map(({ name, token }) => ({ name, digest: digest(token) }))
  return {
    token: all[0]?.token ?? '',
    roleOf: person => (person === all[0]?.name ? 'owner' : 'member'),
    personOf(token) {
      const given = digest(token)
      let found: string | undefined
      for (const person of known) if (timingSafeEqual(person.digest, given)) found ??= person.name
      return found
    },
  }
}

function readTokens(text: string): { name: string; token: string }[] {
  return text
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean)
    .map(entry => {
      const colon = entry.indexOf(':')
      const [name, token] = [entry.slice(0, colon).trim(), entry.slice(colon + 1).trim()]
      if (colon < 1 || !token) throw new Error('TURNBUCKLE_TOKENS must read name:token,name:token.')
      return { name, token }
    })
}
