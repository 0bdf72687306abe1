import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAgent, tool } from 'turnbuckle'
import { mcpHandler } from 'turnbuckle/mcp'
import { scriptedModel } from 'turnbuckle/testing'

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** A server that wants a token, and the one that gives it: both at one address of this machine. */
export class GuardedServer {
  url = ''
  readonly tokens = new Set<string>()
  readonly grants: string[] = []
  registrations = 0
  polls = 0
  /** Header values that are let in beside tokens. */
  readonly keys = new Set<string>()
  /** A method whose next request is refused with all tokens, refresh tokens too: a person has to sign in again. */
  revokesAt: string | undefined
  #refreshes = true
  #issued = 0
  #end: () => Promise<void> = async () => {}

  async listen(): Promise<this> {
    const agent = createAgent({ model: scriptedModel([]), tools: [tool({ name: 'hello', run: () => 'Hello!' })] })
    const mcp = await mcpHandler(agent)
    const server = createServer(async (request, response) => {
      const answer = await this.#answer(request, mcp.fetch)
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.#end = async () => {
      await mcp.close()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
    return this
  }
  close(): Promise<void> {
    return this.#end()
  }

  async #answer(request: IncomingMessage, serve: (request: Request) => Promise<Response>): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url)
    const body = await bodyOf(request)
    const form = new URLSearchParams(body)
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return Response.json({ resource: `${this.url}/mcp`, authorization_servers: [this.url] })
    if (pathname.startsWith('/.well-known/oauth-authorization-server')) return Response.json(this.#metadata())
    if (pathname === '/register') {
      this.registrations++
      return Response.json({ ...JSON.parse(body), client_id: 'client' }, { status: 201 })
    }
    if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = String(new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' }))
      return new Response(null, { status: 302, headers: { location: back.href } })
    }
    if (pathname === '/device')
      return Response.json({
        device_code: 'device',
        user_code: 'ABCD',
        verification_uri: `${this.url}/enter`,
        expires_in: 60,
        interval: 0,
      })
    if (pathname === '/token') return this.#token(form)
    return this.#mcp(request, body, serve)
  }
  #metadata(): object {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      registration_endpoint: `${this.url}/register`,
      device_authorization_endpoint: `${this.url}/device`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    }
  }
  #token(form: URLSearchParams): Response {
    const grant = form.get('grant_type')?.split(':').at(-1) ?? ''
    if (grant === 'device_code' && this.polls++ === 0)
      return Response.json({ error: 'authorization_pending' }, { status: 400 })
    if (grant === 'refresh_token' && !this.#refreshes) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    this.#refreshes = true
    this.grants.push(grant)
    const token = `token-${++this.#issued}`
    this.tokens.add(token)
    return Response.json({ access_token: token, token_type: 'Bearer', refresh_token: 'refresh' })
  }
  async #mcp(request: IncomingMessage, body: string, serve: (request: Request) => Promise<Response>) {
    const { authorization = '', 'x-key': key } = request.headers
    if (this.revokesAt !== undefined && body.includes(`"${this.revokesAt}"`)) {
      this.revokesAt = undefined
      this.#refreshes = false
      this.tokens.clear()
    }
    if (!this.tokens.has(authorization.replace('Bearer ', '')) && !this.keys.has(String(key))) {
      const where = `Bearer resource_metadata="${this.url}/.well-known/oauth-protected-resource"`
      return new Response(null, { status: 401, headers: { 'www-authenticate': where } })
    }
    const { method = 'GET', headers } = request
    const init = { method, headers: headers as Record<string, string>, ...(method === 'POST' ? { body } : {}) }
    return serve(new Request(`${this.url}/mcp`, init))
  }
}
