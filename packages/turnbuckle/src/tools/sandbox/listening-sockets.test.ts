import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listeningSockets } from './listening-sockets.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnbuckle-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('sockets of the table that are there are listed, but for those below the given folders', async () => {
  const path = join(folder, 'a b.sock')
  const server = createServer().listen(path)
  await new Promise(resolve => server.on('listening', resolve))
  const row = (of: string) => `0000000060617fb8: 00000002 00000000 00010000 0001 01 21053 ${of}`
  const table = join(folder, 'table')
  const rows = [row(path), row(path), row(join(folder, 'gone.sock')), row('@abstract'), row(table)]
  await writeFile(table, ['Num RefCount Protocol Flags Type St Inode Path', ...rows, ''].join('\n'))
  expect(await listeningSockets([], table)).toEqual([path])
  expect(await listeningSockets([folder], table)).toEqual([])
  await new Promise(resolve => server.close(resolve))
})

test('a system without such a table has none', async () => {
  expect(await listeningSockets([], join(folder, 'absent'))).toEqual([])
})
