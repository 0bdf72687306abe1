import { TurnbuckleError } from '../core/base/errors.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { object, text } from './arguments.ts'
import { stripControls } from './control.ts'
import { htmlToText } from './html-to-text.ts'
import { type Reach, type Reply, requestOnce } from './request-once.ts'
import { isSameSite } from './same-site.ts'

/** The options of the tool `fetch_url`. */
export interface FetchOptions extends Reach {
  /** Milliseconds for everything. 30 seconds by default. */
  readonly timeout?: number
  /** Bytes of a reply that are read. 1 MB by default. */
  readonly maxBytes?: number
}

const input = object({ url: text('An http or https address.') })
const maxHops = 5

/**
 * Internal addresses are refused: each hop's address is resolved, checked, and the connection made to exactly that one. A redirect to another
 * site is told and not followed: who allowed this address has not allowed that one.
 */
export const fetchUrl = (options: FetchOptions): Tool =>
  tool({
    name: 'fetch_url',
    description: 'Reads a web page or text from the internet.',
    input,
    idempotent: true,
    readOnly: true,
    timeout: options.timeout ?? 30_000,
    async run({ url }, { signal }) {
      const { status, type, body, cut, from, location } = await follow(url, options, signal)
      if (location !== undefined)
        return `[${stripControls(from)} redirects to another site. To read it, call fetch_url with ${stripControls(location)}]`
      const content = stripControls(type.includes('html') ? htmlToText(body) : body)
      const note = cut ? '\n[cut: the page is longer]' : ''
      if (status >= 400)
        throw new TurnbuckleError('fetch.status', `${from} answered ${status}. ${content.slice(0, 500)}`)
      return content + note
    },
  })

async function follow(url: string, options: FetchOptions, signal: AbortSignal): Promise<Reply & { from: string }> {
  let target = parse(url, undefined)
  for (let hop = 0; hop <= maxHops; hop++) {
    const reply = await requestOnce(target, options, options.maxBytes ?? 1_000_000, signal)
    const from = target.href
    if (reply.location === undefined) return { ...reply, from }
    const next = parse(reply.location, target)
    if (!isSameSite(target, next)) return { ...reply, from, location: next.href }
    target = next
  }
  throw new TurnbuckleError('fetch.redirects', `"${url}" redirects more than ${maxHops} times.`)
}

function parse(url: string, base: URL | undefined): URL {
  if (!URL.canParse(url, base?.href)) throw new TurnbuckleError('fetch.address', `"${url}" is not an address.`)
  const parsed = new URL(url, base)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    throw new TurnbuckleError('fetch.address', `Only http and https can be read, not ${parsed.protocol}`)
  if (parsed.username || parsed.password)
    throw new TurnbuckleError('fetch.address', 'An address with a name and password in it is not read.')
  return parsed
}
