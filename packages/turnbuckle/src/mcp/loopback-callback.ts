import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TurnbuckleError } from '../core/base/errors.ts'

const page = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Turnbuckle</title><p style="font:1rem system-ui;margin:3rem">${text}</p>`

/** A port of this machine that nobody uses now. */
export async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Waits on this machine for the browser to come back from a sign-in. */
export class LoopbackCallback {
  readonly #server: Server
  /** The parameters that the browser came back with. */
  readonly params: Promise<URLSearchParams>

  private constructor(server: Server, params: Promise<URLSearchParams>) {
    this.#server = server
    this.params = params
  }

  /** `state` is the secret of this sign-in: a browser that comes without it was sent by somebody else, and is not believed. */
  static async open(redirectUrl: URL, state: string, timeout: number): Promise<LoopbackCallback> {
    const { createServer } = await import('node:http')
    const server = createServer()
    const params = new Promise<URLSearchParams>((resolve, reject) => {
      const late = () => reject(new TurnbuckleError('mcp.signIn', 'Nobody signed in in time.', { kind: 'timeout' }))
      const timer = setTimeout(late, timeout)
      server.on('close', () => {
        clearTimeout(timer)
        late()
      })
      server.on('request', (request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? '/', redirectUrl)
        const isOurs = pathname === redirectUrl.pathname && searchParams.get('state') === state
        response.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', connection: 'close' })
        response.end(page(isOurs ? 'Signed in. You can close this window.' : 'This is not the sign-in that was begun.'))
        if (isOurs) resolve(searchParams)
      })
    })
    params.catch(() => {})
    await new Promise<void>((resolve, reject) => {
      server.once('error', error => {
        server.emit('close')
        reject(error)
      })
      server.listen(Number(redirectUrl.port), '127.0.0.1', resolve)
    })
    return new LoopbackCallback(server, params)
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
