import { TurnbuckleError } from 'turnbuckle'
import type { People } from './people.ts'

/** What a request says about where it comes from. */
export interface Arrival {
  readonly host: string | undefined
  readonly origin: string | undefined
}

/** Decides who comes in: exact host, exact origin, a known token. Loopback is no exception. */
export class Gate {
  readonly #people: People
  readonly #hosts = new Set<string>()

  constructor(people: People) {
    this.#people = people
  }

  /** The names this server goes by, once its port is known. A wildcard address goes by its loopback names. */
  allow(host: string, port: number, more: readonly string[]): void {
    const loopback = ['127.0.0.1', 'localhost', '[::1]']
    const own = ['0.0.0.0', '::', '127.0.0.1', 'localhost', '::1'].includes(host) ? loopback : [host]
    for (const name of own) {
      this.#hosts.add(`${name}:${port}`)
      if (port === 80) this.#hosts.add(name)
    }
    for (const name of more) this.#hosts.add(name.toLowerCase())
  }

  /** Another site's page, or a name that was pointed at this machine, is turned away. */
  checkPlace({ host, origin }: Arrival): void {
    const name = host?.toLowerCase() ?? ''
    if (!this.#hosts.has(name)) throw new TurnbuckleError('host.foreign', 'The Host header does not name this server.')
    if (origin !== undefined && origin !== `http://${name}` && origin !== `https://${name}`)
      throw new TurnbuckleError('origin.foreign', 'The Origin header does not name this server.')
  }

  checkToken(token: string | undefined): string {
    const person = token ? this.#people.who(token) : undefined
    if (person) return person
    throw new TurnbuckleError('token.invalid', 'Send the token that the server printed: Authorization: Bearer TOKEN.')
  }
}

export const bearer = (header: string | undefined): string | undefined => /^Bearer (\S+)$/i.exec(header ?? '')?.[1]

/** For every answer. Scripts, styles and images come from this server alone; nothing may frame it. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}
