import { createServer, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { hostList } from './host-list.ts'
import { startNetworkProxy } from './network-proxy.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A server on this machine, and a proxy for which every name stands for the given address. */
async function world(list: (port: number) => string[], address = '127.0.0.1') {
  const far = createServer((asked, answer) => answer.end(`${asked.method} ${asked.url} ${asked.headers.host}`))
  await new Promise<void>(resolve => far.listen(0, '127.0.0.1', resolve))
  const { port } = far.address() as AddressInfo
  open.push(() => new Promise(resolve => far.close(resolve)))
  const proxy = await startNetworkProxy({ hosts: hostList(list(port)), resolve: async () => [address] })
  open.unshift(() => proxy.close())
  return { port, proxy: proxy.port ?? 0 }
}

const throughProxy = (proxy: number, path: string) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port: proxy, path, headers: { host: 'x' }, agent: false },
      async reply => {
        let text = ''
        for await (const chunk of reply) text += chunk
        resolve({ status: reply.statusCode, text })
      },
    )
    asked.on('error', reject).end()
  })

/** Everything that a connection by `CONNECT` says until its end. */
const tunnelled = (proxy: number, target: string, sent: string) =>
  new Promise<string>((resolve, reject) => {
    let text = ''
    const socket: Socket = connect(proxy, '127.0.0.1')
    socket.on('error', reject).on('close', () => resolve(text))
    socket.setEncoding('utf8').on('data', (more: string) => {
      if (text === '' && more.startsWith('HTTP/1.1 200')) socket.write(sent)
      text += more
    })
    socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`)
  })

test('a host of the list is reached, with the name that was asked for', async () => {
  const { port, proxy } = await world(port => ['allowed.example', `127.0.0.1:${port}`])
  expect(await throughProxy(proxy, `http://allowed.example:${port}/a?b`)).toEqual({
    status: 200,
    text: `GET /a?b allowed.example:${port}`,
  })
  const text = await tunnelled(
    proxy,
    `allowed.example:${port}`,
    'GET /c HTTP/1.1\r\nhost: inner\r\nconnection: close\r\n\r\n',
  )
  expect(text).toContain('GET /c inner')
})

test('a host that the list lacks is refused, and the command can read why', async () => {
  const { port, proxy } = await world(port => ['allowed.example', `127.0.0.1:${port}`])
  const text = `The sandbox does not let commands reach other.example:${port}.`
  expect(await throughProxy(proxy, `http://other.example:${port}/`)).toEqual({
    status: 403,
    text: expect.stringContaining(text),
  })
  expect(await tunnelled(proxy, `other.example:${port}`, '')).toMatch(
    /^HTTP\/1\.1 403 The sandbox does not let commands reach/,
  )
})

test('a name of the list that stands for an internal address is refused', async () => {
  const { port, proxy } = await world(() => ['*'])
  expect((await throughProxy(proxy, `http://rebound.example:${port}/`)).status).toBe(403)
  expect((await throughProxy(proxy, `http://127.0.0.1:${port}/`)).status).toBe(403)
  expect(await tunnelled(proxy, `rebound.example:${port}`, '')).toMatch(/^HTTP\/1\.1 403 /)
})

test.each(['/', 'https://allowed.example/', 'ftp://allowed.example/'])('%s is no request to a proxy', async path => {
  const { proxy } = await world(() => ['*'])
  expect((await throughProxy(proxy, path)).status).toBe(400)
})

test('a server that is not there is a 502', async () => {
  const { proxy } = await world(() => ['127.0.0.1'])
  const closed = createServer()
  await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise(resolve => closed.close(resolve))
  expect((await throughProxy(proxy, `http://127.0.0.1:${port}/`)).status).toBe(502)
  expect(await tunnelled(proxy, `127.0.0.1:${port}`, '')).toMatch(/^HTTP\/1\.1 502 /)
})

test('closing ends connections that are open', async () => {
  const { port } = await world(port => [`127.0.0.1:${port}`])
  const proxy = await startNetworkProxy({ hosts: hostList([`127.0.0.1:${port}`]) })
  const ended = tunnelled(proxy.port ?? 0, `127.0.0.1:${port}`, '')
  const socket = connect(proxy.port ?? 0, '127.0.0.1')
  await new Promise(resolve => socket.on('connect', resolve))
  const closed = new Promise(resolve => socket.on('error', () => {}).on('close', resolve))
  await proxy.close()
  await Promise.allSettled([ended, closed])
  await expect(closed).resolves.toBeDefined()
})
