import { TurnbuckleError } from 'turnbuckle'
import type { People } from './people.ts'

/** What a request says about where it comes from. */
export interface Arrival {
  readonly host: string | undefined
  readonly origin: string | undefined
}

const unknownName =
  'The Host header does not name this server. Further names: TURNBUCKLE_HOSTS=name,name:port, or hosts in createServer.'

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** An address of colons is written in brackets. */
export const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** A name that no Host header can have would be ignored in silence. */
function checkedName(name: string): string {
  if (/^([a-z\d._-]+|\[[a-f\d:.]+\])(:\d{1,5})?$/i.test(name)) return name.toLowerCase()
  throw new TurnbuckleError(
    'host.invalid',
    `"${name}" is not the name of a host: write box.local, 192.168.1.7 or name:port.`,
  )
}

/** Decides who comes in: exact host, exact origin, a known token. Loopback is no exception. */
export class Gate {
  readonly #people: People
  readonly #further: readonly string[]
  readonly #hosts = new Set<string>()

  /** `further`: names beside its own that it may be called by. */
  constructor(people: People, further: readonly string[]) {
    this.#people = people
    this.#further = further.map(checkedName)
  }

  /** The names this server goes by, once its port is known. A wildcard address goes by its loopback names. */
  allow(host: string, port: number): void {
    const loopback = isWildcard(host) || ['127.0.0.1', 'localhost', '::1'].includes(host)
    const own = loopback ? ['127.0.0.1', 'localhost', '[::1]'] : [inUrl(host).toLowerCase()]
    const further = this.#further.filter(name => !/:\d+$/.test(name))
    for (const name of [...own, ...further]) this.#hosts.add(`${name}:${port}`)
    // Behind a proxy the port is the proxy's, and the usual one is left out.
    for (const name of [...this.#further, ...(port === 80 ? own : [])]) this.#hosts.add(name)
  }

  /** Another site's page, or a name that was pointed at this machine, is turned away. */
  checkPlace({ host, origin }: Arrival): void {
    const name = host?.toLowerCase() ?? ''
    if (!this.#hosts.has(name)) throw new TurnbuckleError('host.foreign', unknownName)
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
