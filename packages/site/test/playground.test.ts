import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sharedChromium } from '../../turnbuckle/test/shared-chromium.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-playground-'))
let browser: Browser
let server: Server
let origin: string
const complaints: string[] = []

beforeAll(async () => {
  // As a program of its own: a test run's NODE_ENV would bundle React's development build.
  const site = join(import.meta.dirname, '..')
  const vite = join(site, '../../node_modules/vite/bin/vite.js')
  const { NODE_ENV: _, ...env } = process.env
  const args = [vite, 'build', site, '--outDir', folder, '--logLevel', 'error']
  execFileSync(process.execPath, args, { env, stdio: 'inherit' })
  server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname
    try {
      const body = readFileSync(join(folder, path === '/' ? 'index.html' : path))
      response.writeHead(200, { 'content-type': types[extname(path) || '.html'] ?? 'text/plain' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  browser = await sharedChromium()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
  expect(complaints.splice(0)).toEqual([])
})
afterAll(() => {
  server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A visitor who does not want to wait. Motion is off, so nothing plays by itself. */
async function visit(fragment = '', options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
    ...options,
  })
  const page = await context.newPage()
  // For what never comes; a busy machine is only slow.
  page.setDefaultTimeout(60_000)
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('request', request => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) complaints.push(request.url())
  })
  await page.goto(`${origin}${fragment}`)
  await page.locator('.cm-content').waitFor({ state: 'attached' })
  await page.getByLabel('Pace').selectOption('instant')
  return page
}

const chat = (page: Page) => page.getByRole('log', { name: 'Conversation' })
const ended = (page: Page) => page.locator('.ended').last()
const decisions = (page: Page) => page.getByRole('region', { name: 'Who decided what' })
const treeRows = (page: Page) => page.getByRole('region', { name: 'Tree' }).getByRole('listitem')
const run = (page: Page) => page.getByRole('button', { name: /^Run/ }).click()

/** Replaces what the editor has. */
async function write(page: Page, code: string): Promise<void> {
  await page.locator('.cm-content').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(code)
}

/** Says yes to every question, one after another, until the last turn is over. */
async function answerAll(page: Page): Promise<void> {
  for (;;) {
    await page.locator('.question, [data-phase="over"]').first().waitFor()
    const title = page.locator('.question h2')
    if (!(await title.count())) return
    const id = await title.getAttribute('id')
    await page.getByRole('button', { name: /^Allow/ }).click()
    await page.locator(`[id="${id}"]`).waitFor({ state: 'detached' })
  }
}

/** By scenario: what the chat shows at the end, how the turn ended, and what is said about who decided. */
const promises: readonly (readonly [id: string, shown: RegExp, end: RegExp, decided: RegExp])[] = [
  ['block', /still there/, /completed/, /block.*no-deletes.*did not run/s],
  ['retry', /withdrawn: the line broke.*Friday/s, /completed/, /No hook/],
  ['redact', /Ask \[employee\] about the pump; \[employee\] has the key/, /completed/, /No hook/],
  ['cost', /Found it on page 3/, /completed/, /No hook/],
  ['critic', /140 metres.*126 metres.*120 metres/s, /completed/, /again.*critic/s],
  ['rewind', /left behind on another branch.*return a \+ b/s, /completed/, /rewind.*tests-pass.*new branch/s],
  ['approval', /Both bills are paid/, /completed/, /No hook/],
  ['interrupt', /the bell fell behind us/, /completed/, /No hook/],
  ['winner', /up she rises/, /stopped by budget/, /finish.*again of eager ranks higher.*stop.*budget/s],
  ['explore', /force 4\. Sail/, /completed/, /No hook/],
  ['cache', /from the cache/, /completed/, /skip.*cache/s],
  ['breaker', /round in circles/, /stopped by breaker/, /stop.*breaker/s],
  ['stage', /landlubber.*Welcome aboard/s, /completed/, /again.*judge/s],
  ['own', /dice gave/, /completed/, /No hook/],
]

test('each scenario runs to its end and shows what it promises', async () => {
  const page = await visit()
  for (const [id, shown, end, decided] of promises) {
    await page.evaluate(fragment => {
      location.hash = fragment
    }, `#${id}`)
    await page.locator(`.stage-panel[data-scenario="${id}"]`).waitFor()
    await answerAll(page)
    expect(await chat(page).textContent(), id).toMatch(shown)
    expect(await ended(page).textContent(), id).toMatch(end)
    expect(await decisions(page).textContent(), id).toMatch(decided)
    expect(await page.locator('.problem').count(), id).toBe(0)
  }
})

test('the tree grows a branch where the turn goes back, and a message of it can be gone on from', async () => {
  const page = await visit('#rewind')
  await page.locator('[data-phase="over"]').waitFor()
  expect(await treeRows(page).count()).toBe(6)
  expect(await page.locator('.tree-rows li[data-path="false"]').count()).toBe(3)
  await treeRows(page).nth(1).getByRole('button').click()
  await page.locator('.tree-rows li').nth(1).locator('[aria-current]').waitFor()
})

test('an approval waits, takes no stray Enter, and is answered by keyboard', async () => {
  const page = await visit('#approval')
  const question = page.getByRole('region', { name: /May pay run/ })
  await question.waitFor()
  await expect.poll(() => question.evaluate(card => card === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  expect(await page.locator('.call[data-status="pending"]').count()).toBe(2)
  await page.keyboard.press('n')
  await page.locator('.line', { hasText: 'The shipyard has to wait.' }).waitFor()
  expect(await page.locator('.call[data-status="denied"]').count()).toBe(1)
})

test('stages and hooks are lit as they run, one step at a time; the line of the hook is lit in the editor', async () => {
  const page = await visit('#block')
  await page.locator('[data-phase="over"]').waitFor()
  const peg = page.locator('.peg', { hasText: 'no-deletes' })
  expect(await peg.getAttribute('data-state')).toBe('done')
  await page.getByLabel('Moment of the turn').fill('0')
  expect(await treeRows(page).count()).toBe(0)
  const step = page.getByRole('button', { name: 'One step further' })
  while ((await peg.count()) === 0 || (await peg.getAttribute('data-state')) !== 'open') await step.click()
  expect(await page.locator('.box[data-here="true"]').getAttribute('data-stage')).toBe('tool')
  expect(await page.locator('.cm-lit').textContent()).toBe('  beforeTool(ctx) {')
})

test('a turn is stopped in mid-sentence by Esc, and what was shown is kept', async () => {
  const page = await visit()
  await page.getByLabel('Pace').selectOption('steady')
  await page.getByRole('button', { name: 'Interrupt, or interject' }).click()
  await page.locator('.growing', { hasText: 'fog' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.ended[data-outcome="interrupted"]').waitFor()
  expect(await chat(page).textContent()).toMatch(/fog.*interrupted: what was shown is kept/s)
  expect(await page.locator('.notes').textContent()).toMatch(/After hooks always run/)
})

test('a link carries the code, which runs when the visitor says so', async () => {
  const page = await visit('#block')
  await page.locator('[data-phase="over"]').waitFor()
  const code = (await page.locator('.cm-line').allTextContents()).join('\n')
  await write(page, code.replace('Deleting is not allowed here.', 'Ask the captain first.'))
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.waitForURL(/#block\/./)
  const other = await visit(new URL(page.url()).hash)
  expect(await other.locator('.cm-content').textContent()).toContain('Ask the captain first.')
  expect(await other.locator('[data-phase="idle"]').count()).toBe(1)
  await run(other)
  await other.locator('.call-result', { hasText: 'Ask the captain first.' }).waitFor()
})

test('a mistake is shown with its line, and leads to it', async () => {
  const page = await visit('#own')
  await page.locator('[data-phase="over"]').waitFor()
  await write(
    page,
    `import { middleware } from 'turnbuckle'\nexport default middleware({\n  name: 'mine',\n  beforeTool() {\n    throw new Error('no rope')\n  },\n})`,
  )
  await page.keyboard.press('ControlOrMeta+Enter')
  const place = page.getByRole('button', { name: 'hook.ts:5' })
  await place.waitFor()
  expect(await page.locator('.problem').textContent()).toContain('no rope')
  await page.locator('.cm-lintRange-error').waitFor()
})

test('a hook that loops for ever is ended, and another run goes on', async () => {
  const page = await visit('#own')
  await page.locator('[data-phase="over"]').waitFor()
  await write(
    page,
    `import { middleware } from 'turnbuckle'\nexport default middleware({ name: 'mine', beforeModel() { for (;;); } })`,
  )
  await run(page)
  await page.locator('.problem', { hasText: 'endless loop' }).waitFor()
  await page.getByRole('button', { name: 'Reset' }).click()
  await run(page)
  await page.locator('[data-phase="over"]').waitFor()
})

test('a visitor goes on with the conversation, and code cannot call home', async () => {
  const page = await visit('#own')
  await page.locator('[data-phase="over"]').waitFor()
  await page.getByLabel('Message').fill('what is 6 * 7')
  await page.getByLabel('Message').press('Enter')
  await page.locator('.line.assistant', { hasText: '42' }).last().waitFor()
  await write(page, `fetch('https://example.org')\nexport default []`)
  await run(page)
  await page.locator('.problem', { hasText: 'nothing leaves this page' }).waitFor()
})

test.each([
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
])('no accessibility violations at $width px, by day and by night; nothing is wider than the page', async viewport => {
  const page = await visit('#approval', { viewport })
  await page.locator('.question').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const side of viewport.width < 640 ? ['The hook', 'The turn'] : [undefined]) {
      if (side) await page.getByRole('button', { name: side }).click()
      await page.evaluate(axe.source)
      const { violations } = (await page.evaluate(
        'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] })',
      )) as axe.AxeResults
      const found = violations.map(
        ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(node => `${node.html} ${node.failureSummary}`)}`,
      )
      expect(found).toEqual([])
    }
  }
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
})
