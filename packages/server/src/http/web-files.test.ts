import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import type { Visit } from './app.ts'
import { mountWebFiles } from './web-files.ts'

function appWith(files: Readonly<Record<string, string>>): Hono<Visit> {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-web-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'assets'))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  const app = new Hono<Visit>()
  mountWebFiles(app, folder)
  return app
}

test.each([
  { path: '/', status: 200, cache: 'no-cache', type: 'text/html; charset=utf-8' },
  { path: '/c/conv_1', status: 200, cache: 'no-cache', type: 'text/html; charset=utf-8' },
  { path: '/c/turn_1.functions.a%3A0', status: 200, cache: 'no-cache', type: 'text/html; charset=utf-8' },
  {
    path: '/assets/app.js',
    status: 200,
    cache: 'public, max-age=31536000, immutable',
    type: 'text/javascript; charset=utf-8',
  },
  { path: '/secret.pem', status: 404 },
  { path: '/%2e%2e/package.json', status: 404 },
])('$path is answered with $status', async ({ path, status, cache, type }) => {
  const app = appWith({ 'index.html': '<p>', 'assets/app.js': '1', 'secret.pem': 'x' })
  const { headers, status: answered } = await app.request(path)
  expect(answered).toBe(status)
  if (cache) expect([headers.get('cache-control'), headers.get('content-type')]).toEqual([cache, type])
})

test('a client that takes gzip gets it', async () => {
  const app = appWith({ 'index.html': '<p>' })
  const { headers } = await app.request('/', { headers: { 'accept-encoding': 'gzip, br' } })
  expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['gzip', 'accept-encoding'])
})

test('the frame that draws diagrams may hold styles and connects to nothing; other pages have the policy of all answers', async () => {
  const app = appWith({ 'index.html': '<p>', 'diagram.html': '<p>' })
  const policy = async (path: string) => (await app.request(path)).headers.get('content-security-policy')
  expect(await policy('/diagram.html')).toMatch(/default-src 'none'; script-src 'self'; .*frame-ancestors 'self'/)
  expect(await policy('/diagram.html')).not.toContain('connect-src')
  expect(await policy('/')).toBeNull()
})

test('a folder that is not there serves nothing', async () => {
  const app = new Hono<Visit>()
  mountWebFiles(app, join(tmpdir(), 'turnbuckle-no-such-folder'))
  expect((await app.request('/')).status).toBe(404)
})
