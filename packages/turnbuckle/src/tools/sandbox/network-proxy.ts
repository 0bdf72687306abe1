import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, isIP, type Server, type Socket } from 'node:net'
import type { HostList } from './host-list.ts'

/** A proxy for one command: http and https to the hosts of a list, and to no others. */
export interface NetworkProxy {
  /** The TCP port, where it listens at one. */
  readonly port: number | undefined
  close(): Promise<void>
}

export interface ProxyOptions {
  readonly hosts: HostList
  /** The path of a socket. By default a free port of 127.0.0.1. */
  readonly socket?: string
  /** The addresses of a name. The system's by default. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
}

/** A request that is refused: the command reads why. */
class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Starts it. Each name is resolved here once, and the connection made to an address that was checked. */
export async function startNetworkProxy(options: ProxyOptions): Promise<NetworkProxy> {
  const server = createServer((asked, answer) => void forward(asked, answer, options))
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    // What one side does to its connection is the other side's to see: there is nobody to tell here.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  server.on('connection', keep)
  server.on('connect', (asked: IncomingMessage, client: Socket, head: Buffer) =>
    tunnel(asked, client, head, options, keep),
  )
  server.on('clientError', (_error, socket) => socket.destroy())
  if (options.socket === undefined) server.listen(0, '127.0.0.1')
  else server.listen(options.socket)
  await once(server, 'listening')
  const address = server.address() as AddressInfo | string
  return {
    port: typeof address === 'string' ? undefined : address.port,
    close: () => closeServer(server, sockets),
  }
}

function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy()
  return new Promise(resolve => server.close(() => resolve()))
}

/** The address to connect to, or a `Refusal`. */
async function checkedAddress(host: string, port: number, { hosts, resolve = systemResolve }: ProxyOptions) {
  if (!hosts.allows(host, port))
    throw new Refusal(403, `The sandbox does not let commands reach ${host}:${port}. A person may add it to its list.`)
  const addresses = isIP(host) ? [host] : await resolve(host).catch(() => [])
  if (!addresses.length) throw new Refusal(502, `There is no address for ${host}.`)
  const address = addresses.find(one => hosts.reaches(one, port))
  if (address === undefined)
    throw new Refusal(403, `${host} is an internal address: the sandbox's list has to name the address itself.`)
  return address
}

const systemResolve = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

/** `CONNECT host:port`: bytes both ways, unread. */
async function tunnel(
  asked: IncomingMessage,
  client: Socket,
  head: Buffer,
  options: ProxyOptions,
  keep: (socket: Socket) => void,
): Promise<void> {
  try {
    const target = URL.canParse(`http://${asked.url}`) ? new URL(`http://${asked.url}`) : undefined
    if (!target) throw new Refusal(400, 'That is no host and port.')
    const port = Number(target.port || 80)
    const far = connect(port, await checkedAddress(withoutBrackets(target.hostname), port, options))
    keep(far)
    await once(far, 'connect').catch(error => {
      throw new Refusal(502, (error as Error).message)
    })
    client.write('HTTP/1.1 200 Connected\r\n\r\n')
    far.write(head)
    client.pipe(far).pipe(client)
    client.on('close', () => far.destroy())
    far.on('close', () => client.destroy())
  } catch (error) {
    const { status, text } = told(error)
    // The reason is also the status text: programs show that of a proxy that says no, and not its body.
    client.end(`HTTP/1.1 ${status} ${text}\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${text}\n`)
  }
}

/** `GET http://host/path`: passed on as it is. */
async function forward(asked: IncomingMessage, answer: ServerResponse, options: ProxyOptions): Promise<void> {
  try {
    const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : undefined
    if (url?.protocol !== 'http:') throw new Refusal(400, 'This is a proxy for commands: it wants a whole address.')
    const port = Number(url.port || 80)
    const host = await checkedAddress(withoutBrackets(url.hostname), port, options)
    const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = asked.headers
    const passed = request({
      host,
      port,
      method: asked.method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host },
      agent: false,
    })
    passed.on('response', reply => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
      reply.on('error', () => answer.destroy())
    })
    passed.on('error', error => refuse(answer, new Refusal(502, error.message)))
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  } catch (error) {
    refuse(answer, error)
  }
}

function refuse(answer: ServerResponse, error: unknown): void {
  const { status, text } = told(error)
  if (answer.headersSent) answer.destroy()
  else answer.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${text}\n`)
}

const told = (error: unknown): { status: number; text: string } => {
  const { status, message } = error instanceof Refusal ? error : { status: 502, message: String(error) }
  return { status, text: message.replace(/[^\x20-\x7e]/g, ' ') }
}
