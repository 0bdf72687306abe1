import { TurnbuckleError } from 'turnbuckle'
import type { Tokens } from './tokens.ts'

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

/** Decides which requests are let in: exact host, exact origin, a known token. Loopback is no exception. */
export class AccessCheck {
  readonly #tokens: Tokens
  readonly #further: readonly string[]
  readonly #hosts = new Set<string>()

  /** `further`: host names besides the server's own. */
  constructor(tokens: Tokens, further: readonly string[]) {
    this.#tokens = tokens
    this.#further = further.map(checkedName)
  }

  /** Sets the host names of this server, once its port is known. A wildcard address has the loopback names. */
  allow(host: string, port: number): void {
    const loopback = isWildcard(host) || ['127.0.0.1', 'localhost', '::1'].includes(host)
    const own = loopback ? ['127.0.0.1', 'localhost', '[::1]'] : [inUrl(host).toLowerCase()]
    const further = this.#further.filter(name => !/:\d+$/.test(name))
    for (const name of [...own, ...further]) this.#hosts.add(`${name}:${port}`)
    // With a proxy in front the port is the proxy's, and a Host header leaves out port 80.
    for (const name of [...this.#further, ...(port === 80 ? own : [])]) this.#hosts.add(name)
  }

  /** Throws for a page of another site, and for a foreign name that points at this machine (DNS rebinding). */
  checkOrigin({ host, origin }: Origin): void {
    const name = host?.toLowerCase() ?? ''
    if (!this.#hosts.has(name)) throw new TurnbuckleError('host.foreign', unknownName)
    if (origin !== undefined && origin !== `http://${name}` && origin !== `https://${name}`)
      throw new TurnbuckleError('origin.foreign', 'The Origin header does not name this server.')
  }

  /** The person of a token; throws `token.invalid` for a wrong one. */
  checkToken(token: string | undefined): string {
    const person = token ? this.#tokens.personOf(token) : undefined
    if (person) return person
    throw new TurnbuckleError('token.invalid', 'Send the token that the server printed: Authorization: Bearer TOKEN.')
  }
}

export const bearerToken = (header: string | undefined): string | undefined => /^Bearer (\S+)$/i.exec(header ?? '')?.[1]
