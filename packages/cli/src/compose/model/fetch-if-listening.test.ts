import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { fetchIfListening } from './fetch-if-listening.ts'

test('a server that listens is fetched, one that is gone is refused', async () => {
  const server = createServer((_request, response) => response.end('here'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  expect(await (await fetchIfListening(url)).text()).toBe('here')
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  await expect(fetchIfListening(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
