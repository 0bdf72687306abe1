import { lookup as systemLookup } from 'node:dns/promises'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { TurnbuckleError } from '../core/base/errors.ts'
import { isInternal } from './addresses.ts'

export interface Reach {
  /** Internal addresses that may be reached all the same: `127.0.0.1:3000`, address and port. */
  readonly allow?: readonly string[]
  /** The addresses of a host name. The system's by default. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
}

export interface Reply {
  readonly status: number
  /** The target of a redirect. */
  readonly location: string | undefined
  readonly type: string
  readonly body: string
  /** There was more than was read. */
  readonly cut: boolean
}

/** Makes a request without following redirects, to an address that was checked. */
export async function requestOnce(url: URL, reach: Reach, maxBytes: number, signal: AbortSignal): Promise<Reply> {
  const address = await checkedAddress(url, reach)
  const request = url.protocol === 'https:' ? secureRequest : plainRequest
  // The name is not looked up again: its owner could answer differently the second time.
  const lookup: LookupFunction = (_host, { all }, done) => {
    const family = isIP(address)
    if (all) done(null, [{ address, family }])
    else done(null, address, family)
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      accept: 'text/*, application/json, */*;q=0.5',
      'accept-encoding': 'identity',
      'user-agent': 'turnbuckle',
    }
    request(url, { agent: false, lookup, signal, headers }, resolve).on('error', reject).end()
  })
  try {
    return await read(response, maxBytes)
  } finally {
    response.destroy()
  }
}

async function checkedAddress(url: URL, { allow = [], resolve = systemResolve }: Reach): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const addresses = isIP(host) ? [host] : await resolve(host)
  const refused = addresses.find(address => isInternal(address) && !allow.includes(`${address}:${port}`))
  if (refused !== undefined)
    throw new TurnbuckleError('fetch.internal', `"${url.host}" is an internal address (${refused}): it is not read.`)
  const [first] = addresses
  if (first === undefined) throw new TurnbuckleError('fetch.unresolved', `There is no address for "${host}".`)
  return first
}

const systemResolve = async (host: string): Promise<string[]> =>
  (await systemLookup(host, { all: true })).map(({ address }) => address)

async function read(response: IncomingMessage, maxBytes: number): Promise<Reply> {
  const { statusCode: status = 0, headers } = response
  const type = headers['content-type'] ?? 'text/plain'
  const redirects = [301, 302, 303, 307, 308].includes(status)
  const empty = { status, type, body: '', cut: false, location: redirects ? headers.location : undefined }
  if (empty.location !== undefined) return empty
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity')
    throw new TurnbuckleError('fetch.encoded', `The reply is compressed (${headers['content-encoding']}), unasked.`)
  if (!/^text\/|json|xml|javascript|yaml/i.test(type))
    throw new TurnbuckleError('fetch.binary', `The reply is not text but ${type}.`)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) break
  }
  const body = Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
  return { ...empty, body, cut: length > maxBytes }
}
