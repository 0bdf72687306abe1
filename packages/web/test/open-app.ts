import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { CreateAgentOptions } from 'turnbuckle'
import { afterEach, beforeAll } from 'vitest'
import type { ServerOptions } from '../../server/src/index.ts'
import { type Served, serve } from '../../server/test/serve.ts'
import { sharedChromium } from '../../turnbuckle/test/shared-chromium.ts'

const folder = join(import.meta.dirname, '..')
export const dist: string = join(folder, 'dist')

const newest = (path: string): number =>
  Math.max(
    ...readdirSync(path, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  )

/** Runs a build alone among all test processes. A lock that is older than any build takes was left behind. */
function alone(work: () => void): void {
  const lock = join(folder, '../../node_modules/.turnbuckle-web.lock')
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch {
      const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0
      if (Date.now() - made > 180_000) rmSync(lock, { recursive: true, force: true })
      else Atomics.wait(pause, 0, 0, 100)
    }
  }
  try {
    work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** `npm test` has built it already; a single test run builds what changed. */
function ensureBuilt(): void {
  const made = join(dist, 'index.html')
  const sources = [join(folder, 'src'), join(folder, '../turnbuckle/src/client')]
  if (existsSync(made) && statSync(made).mtimeMs > Math.max(...sources.map(newest))) return
  // As a program of its own: a test run's NODE_ENV would bundle React's development build.
  const vite = join(folder, '../../node_modules/vite/bin/vite.js')
  const { NODE_ENV: _, ...env } = process.env
  execFileSync(process.execPath, [vite, 'build', folder, '--logLevel', 'error'], { env, stdio: 'inherit' })
}

export interface App {
  readonly browser: Browser
  server: Served
  serve(agent: CreateAgentOptions, options?: Partial<ServerOptions>): Promise<Served>
  /** A page of the server, for the person whose token it is. */
  page(options?: BrowserContextOptions, token?: string): Promise<Page>
  /** A server for the agent, and a page of it. */
  open(agent: CreateAgentOptions, options?: BrowserContextOptions): Promise<Page>
  /** Everything that pages complained about. */
  readonly complaints: string[]
  /** Requests that left this machine's server. */
  readonly strays: string[]
}

/** For tests that cut the connection. */
const keepSockets = `
  window.sockets = []
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given)
      window.sockets.push(this)
    }
  }`

/** A real browser for the tests of a file, and real servers for it. Pages and servers go after each test. */
export function testApp(): App {
  let browser: Browser
  const [complaints, strays]: [string[], string[]] = [[], []]
  beforeAll(async () => {
    alone(ensureBuilt)
    browser = await sharedChromium()
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    await app.server?.close()
    complaints.length = 0
    strays.length = 0
  })
  const app: App = {
    get browser() {
      return browser
    },
    server: undefined as unknown as Served,
    complaints,
    strays,
    async serve(agent, options = {}) {
      app.server = await serve(agent, { web: dist, ...options })
      return app.server
    },
    async open(agent, options) {
      await app.serve(agent)
      return app.page(options)
    },
    async page(options = {}, token = app.server.token) {
      const { url } = app.server
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
      const page = await context.newPage()
      await page.addInitScript(keepSockets)
      page.on('pageerror', error => complaints.push(String(error)))
      page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
      page.on('request', request => {
        if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) strays.push(request.url())
      })
      await page.goto(`${url}/#token=${token}`)
      await page.locator('.composer').waitFor()
      // A page hears of turns when it is connected: before that, a message that was sent has no turn which ends.
      await page.locator('.connection[data-status="open"]').waitFor({ state: 'attached' })
      return page
    },
  }
  return app
}
