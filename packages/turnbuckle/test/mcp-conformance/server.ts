// Serves the agent on a free port of this machine and prints its address. It ends with its standard input.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { mcpHandler } from 'turnbuckle/mcp'
import { servedAgent, servedOffers } from './served-agent.ts'

const handler = await mcpHandler(servedAgent, servedOffers)
const server = createServer(async (request, response) => {
  const { method = 'GET', headers, url = '/' } = request
  const init = method === 'POST' ? { body: Readable.toWeb(request), duplex: 'half' } : {}
  const given = { method, headers: headers as Record<string, string>, ...init } as RequestInit
  const answer = await handler.fetch(new Request(new URL(url, `http://${headers.host}`), given))
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (answer.body)
    Readable.fromWeb(answer.body as NodeStream)
      .on('error', () => {})
      .pipe(response)
  else response.end()
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`))
process.stdin.on('end', () => process.exit()).resume()
