import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from 'turnbuckle/stores'
import { expect, onTestFinished, test } from 'vitest'
import type { Served } from '../../server/test/serve.ts'
import type { Job } from '../../server/test/served-process.ts'
import { bundleServer, type ServerProcess, startProcess } from '../../server/test/server-process.ts'
import { dist, testApp } from './open-app.ts'
import { done, eventually, replies, say } from './page.ts'

const app = testApp()

test('a server is killed while it writes: what was read stays, also after a reload, until it is written anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-killed-'))
  const program = await bundleServer()
  let server: ServerProcess | undefined
  let port = 0
  onTestFinished(async () => {
    await server?.end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const start = async (hangs: Job['hangs']): Promise<void> => {
    const store = { kind: 'sqlite', url: join(folder, 'conversations.db') } as const
    server = await startProcess(program, {
      store,
      ran: join(folder, 'ran'),
      web: dist,
      port,
      ...(hangs ? { hangs } : {}),
    })
    port = Number(new URL(server.url).port)
    app.server = { url: server.url, token: 'secret', close: async () => {} } as Served
  }
  await start(true)
  const page = await app.page()
  await say(page, 'talk')
  await page.getByText('half').waitFor()
  // Shown text is on the disk a moment later.
  const disk = sqliteStore(join(folder, 'conversations.db'))
  onTestFinished(() => disk.close())
  const id = page.url().split('/c/').at(-1) ?? ''
  const kept = async () => {
    const [turn] = await disk.driver.turns({ conversation: id })
    return (await disk.driver.records(id, { turn: turn?.id ?? '' })).map(({ type }) => type)
  }
  await eventually(kept).toContain('note.sketch')
  await server?.end('SIGKILL')
  await page.getByText('The server does not answer').waitFor()
  await eventually(() => page.getByText('half').isVisible()).toBe(true)
  await start('at once')
  const lost = page.locator('.message.lost')
  await lost.waitFor()
  await eventually(() => lost.textContent()).toBe('halfCut off when the server ended; it is being written anew')
  await page.reload()
  await lost.waitFor()
  await eventually(() => lost.textContent()).toContain('half')
  await server?.end('SIGKILL')
  await start(undefined)
  await page.getByText('half whole').waitFor()
  await done(page)
  await eventually(() => replies(page).count()).toBe(1)
  await page.reload()
  await page.getByText('half whole').waitFor()
  await eventually(() => lost.count()).toBe(0)
  expect(await page.getByText('half whole').count()).toBe(1)
})
