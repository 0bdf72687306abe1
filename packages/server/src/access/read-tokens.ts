import { type Role, roles } from './roles.ts'

/** A person as the environment or the settings name them. */
export interface NamedPerson {
  readonly name: string
  readonly token: string
  /** Without one: member, and the first of all people owner. */
  readonly role?: Role | undefined
}

const form =
  'TURNBUCKLE_TOKENS must read name:token:role,name:token:role; a role is owner, member or viewer, and may be left out.'

/** Reads TURNBUCKLE_TOKENS. A token may have colons: only a role behind the last one is a role. */
export function readTokens(text: string): NamedPerson[] {
  return text
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean)
    .map(entry => {
      const [name = '', ...rest] = entry.split(':').map(part => part.trim())
      const last = rest.at(-1) ?? ''
      const role = rest.length > 1 ? roles.find(one => one === last) : undefined
      // A word that is no role is a role misspelt, and not a part of the token: it would have another role in silence.
      if (rest.length > 1 && !role && /^[a-z]+$/i.test(last)) throw new Error(`"${last}" is no role. ${form}`)
      const token = (role ? rest.slice(0, -1) : rest).join(':')
      if (!name || !token) throw new Error(form)
      return role ? { name, token, role } : { name, token }
    })
}
