import { TurnbuckleError } from 'turnbuckle'
import type { People, Visitor } from './people.ts'

/** The headers of a request that tell under which name it was sent, and from which site. */
export interface Origin {
  readonly host: string | undefined
  readonly origin: string | undefined
}

const unknownName =
  'The Host header does not name this server. Further names: TURNBUCKLE_HOSTS=name,name:port, or hosts in createServer.'

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** An IPv6 address is written in brackets inside an address of HTTP. */
export const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Refuses a name that no Host header can have: it would be ignored in silence. */
function checkedName(name: string): string {
  if (/^([a-z\d._-]+|\[[a-f\d:.]+\])(:\d{1,5})?$/i.test(name)) return name.toLowerCase()
  throw new TurnbuckleError(
    'host.invalid',
    `"${name}" is not the name of a host: write box.local, 192.168.1.7 or name:port.`,
  )
}

/** Refuses an origin that no Origin header can have: scheme and host, and a port where it is not the scheme's own. */
function checkedOrigin(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase()) return url
  throw new TurnbuckleError(
    'origin.invalid',
    `"${text}" is not an origin: write https://chat.example.org, without a path.`,
  )
}

const isLoopback = (host: string): boolean => isWildcard(host) || ['127.0.0.1', 'localhost', '::1'].includes(host)

/** What a proxy may call that origin's host in a Host header: also with the port that its scheme has. */
const namesOf = ({ host, protocol }: URL): string[] =>
  /:\d+$/.test(host) ? [host] : [host, `${host}:${protocol === 'https:' ? 443 : 80}`]

/** Decides which requests are let in: exact host, exact origin, a known token. Loopback is no exception. */
export class AccessCheck {
  readonly #people: People
  readonly #further: readonly string[]
  readonly #origin: URL | undefined
  readonly #hosts = new Set<string>()
  /** Hosts whose pages may ask although a proxy's origin is set: those of this machine. */
  readonly #loopback = new Set<string>()

  /** `further`: host names besides the server's own. `origin`: the one of a proxy that ends TLS; its host is allowed too. */
  constructor(people: People, further: readonly string[], origin?: string) {
    this.#people = people
    this.#further = further.map(checkedName)
    this.#origin = origin === undefined ? undefined : checkedOrigin(origin)
  }

  /** Sets the host names of this server, once its port is known. A wildcard address has the loopback names. */
  allow(host: string, port: number): void {
    const own = isLoopback(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [inUrl(host).toLowerCase()]
    const further = this.#further.filter(name => !/:\d+$/.test(name))
    // A Host header leaves out port 80.
    const ownHosts = own.flatMap(name => [`${name}:${port}`, ...(port === 80 ? [name] : [])])
    // With a proxy in front the port is the proxy's.
    for (const name of [...ownHosts, ...further.map(name => `${name}:${port}`), ...this.#further]) this.#hosts.add(name)
    if (this.#origin) for (const name of namesOf(this.#origin)) this.#hosts.add(name)
    if (isLoopback(host)) for (const name of ownHosts) this.#loopback.add(name)
  }

  /** Throws for a page of another site, and for a foreign name that points at this machine (DNS rebinding). */
  checkOrigin({ host, origin }: Origin): void {
    const name = host?.toLowerCase() ?? ''
    if (!this.#hosts.has(name)) throw new TurnbuckleError('host.foreign', unknownName)
    if (origin !== undefined && !this.#isOwnOrigin(origin, name))
      throw new TurnbuckleError(
        'origin.foreign',
        'The Origin header does not name this server. Behind a proxy: TURNBUCKLE_ORIGIN=https://name.',
      )
  }
  /** Without a proxy's origin: `http://` and the host that was asked for. With one: that, and on loopback as without. */
  #isOwnOrigin(origin: string, host: string): boolean {
    if (origin === this.#origin?.origin) return true
    return origin === `http://${host}` && (!this.#origin || this.#loopback.has(host))
  }

  /** The visitor of a token; throws `token.invalid` for one that is wrong, revoked or expired. */
  checkToken(token: string | undefined): Visitor {
    const visitor = token ? this.#people.visitorOf(token) : undefined
    if (visitor) return visitor
    throw new TurnbuckleError('token.invalid', 'Send the token that the server printed: Authorization: Bearer TOKEN.')
  }
  /** False once the visitor's token was revoked or has expired. */
  isLive(visitor: Visitor): boolean {
    return this.#people.isLive(visitor)
  }
}

export const bearerToken = (header: string | undefined): string | undefined => /^Bearer (\S+)$/i.exec(header ?? '')?.[1]
