import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAgent, type ResultPart } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { type FetchOptions, workspaceTools } from 'turnbuckle/tools'
import { afterEach, describe, expect, test } from 'vitest'
import { isInternal } from './addresses.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server on this machine: its address and port, and what it was asked. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { at: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

async function fetchUrl(url: string, fetch: FetchOptions = {}): Promise<ResultPart> {
  const model = scriptedModel([{ calls: [{ name: 'fetch_url', args: { url } }] }, 'ok'])
  const { messages } = await createAgent({ model, tools: workspaceTools({ root: '.', files: false, fetch }) }).send(
    'go',
  )
  return messages.flatMap(({ content }) => content).find(part => part.type === 'result') as ResultPart
}

const portOf = ({ at }: { readonly at: string }) => at.split(':')[1]

const page =
  (text: string, type = 'text/html') =>
  (_: unknown, response: ServerResponse) => {
    response.setHeader('content-type', type)
    response.end(text)
  }

describe('internal addresses are refused', () => {
  test.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://017700000001/',
    'http://①②⑦.⓪.⓪.①/',
    'http://LOCALHOST/',
    'http://[::127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:7f00:0001]/',
    'http://[fec0::1]/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
  ])('%s', async url =>
    expect(await fetchUrl(url)).toMatchObject({ status: 'error', value: expect.stringContaining('internal') }),
  )
})

test.each([
  ['8.8.8.8', false],
  ['172.15.0.1', false],
  ['172.32.0.1', false],
  ['2606:4700::1111', false],
  ['2001:db8::1', true],
  ['255.255.255.255', true],
  ['224.0.0.1', true],
  ['', true],
])('%s is internal: %s', (address, internal) => expect(isInternal(address)).toBe(internal))

test('a name that leads to an internal address is refused, also when only one of its addresses is', async () => {
  const { at, asked } = await serve(page('secret'))
  const port = at.split(':')[1]
  for (const addresses of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1']])
    expect(await fetchUrl(`http://good.example:${port}/`, { resolve: async () => addresses })).toMatchObject({
      status: 'error',
      value: expect.stringContaining('internal'),
    })
  expect(asked).toEqual([])
})

test('the connection goes to the address that was checked: a name is looked up once', async () => {
  const { at, asked } = await serve(page('hello', 'text/plain'))
  const [address = '', port] = at.split(':')
  const looked: string[] = []
  const resolve = async (host: string) => {
    looked.push(host)
    return looked.length === 1 ? [address] : ['169.254.169.254']
  }
  expect(await fetchUrl(`http://moves.example:${port}/`, { resolve, allow: [at] })).toMatchObject({ value: 'hello' })
  expect(looked).toEqual(['moves.example'])
  expect(asked[0]?.headers.host).toBe(`moves.example:${port}`)
})

describe('redirects', () => {
  test('are followed', async () => {
    const { at } = await serve((request, response) => {
      if (request.url === '/b') return page('<p>there</p>')(request, response)
      response.writeHead(302, { location: '/b' }).end()
    })
    expect(await fetchUrl(`http://${at}/a`, { allow: [at] })).toMatchObject({ status: 'ok', value: 'there' })
  })
  test('to a name that leads to an internal address are refused at that hop', async () => {
    const { at, asked } = await serve(
      (_, response) => void response.writeHead(307, { location: `//www.host.example:${portOf({ at })}/` }).end(),
    )
    const result = await fetchUrl(`http://host.example:${portOf({ at })}/`, {
      allow: [at],
      resolve: async host => [host.startsWith('www.') ? '127.0.0.2' : '127.0.0.1'],
    })
    expect(result).toMatchObject({ status: 'error', value: expect.stringContaining('internal') })
    expect(asked).toHaveLength(1)
  })
  test('to another port are told, and not followed: another server answers there', async () => {
    const other = await serve(page('secret'))
    const first = await serve((_, response) => void response.writeHead(302, { location: `http://${other.at}/` }).end())
    const result = await fetchUrl(`http://${first.at}/`, { allow: [first.at, other.at] })
    expect(result).toMatchObject({ value: expect.stringContaining(`call fetch_url with http://${other.at}/`) })
    expect(other.asked).toEqual([])
  })
  test('to another host are told, and neither looked up nor followed: nobody has allowed that one', async () => {
    const other = await serve(page('sent'))
    const to = `http://other.example:${portOf(other)}/?secret`
    const first = await serve((_, response) => void response.writeHead(302, { location: to }).end())
    const looked: string[] = []
    const result = await fetchUrl(`http://first.example:${portOf(first)}/`, {
      allow: [first.at, other.at],
      resolve: async host => {
        looked.push(host)
        return ['127.0.0.1']
      },
    })
    expect(result).toMatchObject({ status: 'ok', value: expect.stringContaining(`call fetch_url with ${to}`) })
    expect([looked, other.asked]).toEqual([['first.example'], []])
  })
  test.each(['file:///etc/passwd', 'ftp://example.com/', 'http://user:pass@example.com/'])(
    'to %s are refused',
    async to => {
      const { at } = await serve((_, response) => void response.writeHead(302, { location: to }).end())
      expect(await fetchUrl(`http://${at}/`, { allow: [at] })).toMatchObject({ status: 'error' })
    },
  )
  test('without end are ended', async () => {
    const { at, asked } = await serve((_, response) => void response.writeHead(302, { location: '/' }).end())
    expect(await fetchUrl(`http://${at}/`, { allow: [at] })).toMatchObject({
      value: expect.stringContaining('more than 5 times'),
    })
    expect(asked).toHaveLength(6)
  })
})

test.each<
  [what: string, answer: (request: IncomingMessage, response: ServerResponse) => void, status: string, value: unknown]
>([
  ['text', page('plain', 'text/plain'), 'ok', 'plain'],
  [
    'a page',
    page('<head><title>x</title></head><h1>A &amp; B</h1><script>evil()</script><a href="/x">link</a>'),
    'ok',
    'A & B\nlink (/x)',
  ],
  ['terminal sequences', page('a\x1b]0;x\x07b&#27;[2Jc', 'text/html'), 'ok', 'abc'],
  ['an image', page('x', 'image/png'), 'error', expect.stringContaining('image/png')],
  [
    'an error',
    (_, response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('gone'),
    'error',
    expect.stringContaining('404. gone'),
  ],
  [
    'a bomb',
    (_, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' }).end('x'),
    'error',
    expect.stringContaining('compressed'),
  ],
  ['too much', page('x'.repeat(200), 'text/plain'), 'ok', `${'x'.repeat(100)}\n[cut: the page is longer]`],
])('%s', async (_, answer, status, value) => {
  const { at } = await serve(answer)
  expect(await fetchUrl(`http://${at}/`, { allow: [at], maxBytes: 100 })).toMatchObject({ status, value })
})

test('a server that never answers is given up', async () => {
  const { at } = await serve(() => {})
  expect(await fetchUrl(`http://${at}/`, { allow: [at], timeout: 50 })).toMatchObject({ status: 'timeout' })
})

test('an endless reply ends at the limit', async () => {
  const { at } = await serve((request, response) => {
    response.setHeader('content-type', 'text/plain')
    const more = () => void (request.socket.destroyed || response.write('x'.repeat(1000), more))
    more()
  })
  expect(await fetchUrl(`http://${at}/`, { allow: [at], maxBytes: 5000 })).toMatchObject({ status: 'ok' })
})
