import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { type Model, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../turnbuckle/test/shared-chromium.ts'
import { gate, type Served, serve } from './serve.ts'

let browser: Browser
const web = mkdtempSync(join(tmpdir(), 'use-chat-'))

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('./fixtures/use-chat-page.jsx', import.meta.url))],
    outfile: join(web, 'page.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const script = '<script type="module" src="/page.js"></script>'
  writeFileSync(
    join(web, 'index.html'),
    `<!doctype html><html lang="en"><title>Chat</title><body>${script}</body></html>`,
  )
  browser = await sharedChromium()
})
afterAll(() => rmSync(web, { recursive: true, force: true }))

async function open({ url, token }: Served, chat: string): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(`${url}/#chat=${chat}&token=${token}`)
  await page.waitForSelector('main')
  return page
}
async function say(page: Page, text: string): Promise<void> {
  await page.fill('input', text)
  await page.press('input', 'Enter')
}
const shown = async (page: Page) => [
  await page.getAttribute('main', 'data-status'),
  ...(await page.locator('article').allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim()),
]

test('a page of @ai-sdk/react chats, runs a tool, asks for an approval, and writes another answer', async () => {
  const calls = [{ name: 'add', args: { a: 2, b: 3 } }]
  const model = scriptedModel(['Hello.', { text: 'Let me see.', calls }, 'Five.', 'It is five.'])
  const add = tool({ name: 'add', run: ({ a, b }) => Number(a) + Number(b) })
  const page = await open(await serve({ model, tools: [add], use: [approval()] }, { web }), 'sums')
  await say(page, 'Hi.')
  await expect.poll(() => shown(page)).toEqual(['ready', 'Hi.', 'Hello.'])
  await say(page, '2 + 3?')
  await page.click('text=Allow')
  const call = '{"state":"output-available","input":{"a":2,"b":3},"output":5}'
  await expect.poll(() => shown(page)).toEqual(['ready', 'Hi.', 'Hello.', '2 + 3?', `Let me see. ${call} Five.`])
  await page.click('text=Again')
  await expect.poll(() => shown(page)).toEqual(['ready', 'Hi.', 'Hello.', '2 + 3?', 'It is five.'])
  await page.reload()
  await expect.poll(() => shown(page)).toEqual(['ready', 'Hi.', 'Hello.', '2 + 3?', 'It is five.'])
  expect(await page.locator('[role=alert]').count()).toBe(0)
})

test('a page runs its own tools for the agent, beside one of the agent', async () => {
  const calls = [
    { name: 'where', args: {} },
    { name: 'add', args: { a: 2, b: 3 } },
    { name: 'where', args: {} },
  ]
  const model = scriptedModel([{ text: 'I look.', calls }, 'In Oslo.'])
  const add = tool({ name: 'add', run: ({ a, b }) => Number(a) + Number(b) })
  const page = await open(await serve({ model, tools: [add] }, { web }), 'places')
  await say(page, 'Where am I?')
  const place = '{"state":"output-available","input":{},"output":{"city":"Oslo"}}'
  const sum = '{"state":"output-available","input":{"a":2,"b":3},"output":5}'
  const last = async () =>
    (await shown(page))
      .slice(0, 1)
      .concat((await shown(page)).at(-1) ?? '')
      .map(String)
  await expect
    .poll(async () => (await last()).map(text => text.split(place).length + text.split(sum).length), {
      timeout: 20_000,
    })
    .toEqual([2, 5])
  await expect.poll(async () => (await last())[1], { timeout: 20_000 }).toMatch(/In Oslo\.$/)
  const results = model.prompts[1]?.messages.flatMap(({ content }) => content.filter(({ type }) => type === 'result'))
  expect(results).toMatchObject([{ value: { city: 'Oslo' } }, { value: 5 }, { value: { city: 'Oslo' } }])
  expect(await page.locator('[role=alert]').count()).toBe(0)
})

test('a turn outlives a reload of its page, and ends when it is stopped there', async () => {
  const rest = [gate(), gate()]
  let calls = 0
  const model: Model = {
    id: 'slow',
    async *stream() {
      yield { type: 'text', text: 'One ' }
      await rest[calls++]?.opened
      yield [
        { type: 'text', text: 'two.' },
        { type: 'finish', reason: 'stop' },
      ]
    },
  }
  const server = await serve({ model }, { web })
  const page = await open(server, 'slow')
  await say(page, 'Count.')
  await expect.poll(() => shown(page)).toEqual(['streaming', 'Count.', 'One'])
  await page.reload()
  await expect.poll(() => shown(page)).toEqual(['streaming', 'Count.', 'One'])
  rest[0]?.open()
  await expect.poll(() => shown(page)).toEqual(['ready', 'Count.', 'One two.'])
  await say(page, 'Again.')
  await expect.poll(() => shown(page)).toEqual(['streaming', 'Count.', 'One two.', 'Again.', 'One'])
  await page.click('text=Stop')
  await expect.poll(() => shown(page)).toEqual(['ready', 'Count.', 'One two.', 'Again.', 'One'])
  const turns = async () => (await server.call('GET', '/api/conversations/slow')).body.turns
  await expect.poll(turns).toMatchObject([{ status: 'completed' }, { status: 'interrupted', reason: 'stopped' }])
  await page.reload()
  await expect.poll(() => shown(page)).toEqual(['ready', 'Count.', 'One two.', 'Again.', 'One'])
})
