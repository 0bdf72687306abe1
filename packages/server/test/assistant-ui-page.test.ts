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
const web = mkdtempSync(join(tmpdir(), 'assistant-ui-'))

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('./fixtures/assistant-ui-page.jsx', import.meta.url))],
    outfile: join(web, 'page.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' },
  })
  const script = '<script type="module" src="/page.js"></script>'
  writeFileSync(
    join(web, 'index.html'),
    `<!doctype html><html lang="en"><title>Chat</title><body>${script}</body></html>`,
  )
  browser = await sharedChromium()
})
afterAll(() => rmSync(web, { recursive: true, force: true }))

async function open({ url, token }: Served, chat?: string): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(`${url}/#token=${token}${chat ? `&chat=${chat}` : ''}`)
  await page.waitForSelector('textarea')
  return page
}
/** While a reply is on its way assistant-ui sends nothing: the last words are shown before it is over. */
const untilIdle = (page: Page) => page.locator('text=Stop').waitFor({ state: 'detached' })
async function say(page: Page, text: string): Promise<void> {
  await untilIdle(page)
  await page.fill('textarea', text)
  await page.press('textarea', 'Enter')
}
const shown = async (page: Page) =>
  (await page.locator('article').allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim())
const patience = { timeout: 20_000 }

const pages = [{ what: 'a new chat' }, { what: 'a chat that is opened again', chat: 'kept' }]

test.each(pages)('$what of assistant-ui asks for an approval, and runs a tool of its own', async ({ chat }) => {
  const model = scriptedModel([
    'Hello.',
    { text: 'Let me see.', calls: [{ name: 'add', args: { a: 2, b: 3 } }] },
    'Five.',
    { text: 'I look.', calls: [{ name: 'where', args: {} }] },
    'In Oslo.',
  ])
  const add = tool({ name: 'add', run: ({ a, b }) => Number(a) + Number(b) })
  const page = await open(await serve({ model, tools: [add], use: [approval({ allow: ['where'] })] }, { web }), chat)
  await say(page, 'Hi.')
  await expect.poll(() => shown(page), patience).toEqual(['Hi.', 'Hello.'])
  await say(page, '2 + 3?')
  await page.click('text=Allow')
  const sum = 'Let me see. {"toolName":"add","args":{"a":2,"b":3},"result":5} Five.'
  await expect.poll(() => shown(page), patience).toEqual(['Hi.', 'Hello.', '2 + 3?', sum])
  await say(page, 'Where am I?')
  const place = 'I look. {"toolName":"where","args":{},"result":{"city":"Oslo"}} In Oslo.'
  await expect.poll(async () => (await shown(page)).at(-1), patience).toBe(place)
  expect(model.prompts.at(-1)?.messages.at(-1)?.content).toMatchObject([
    { type: 'result', name: 'where', status: 'ok', value: { city: 'Oslo' } },
  ])
})

/** Says "One " and, when the test lets it, "two."; from the second time on "One" and the number. */
function countingModel() {
  const rest = gate()
  let times = 0
  const model: Model = {
    id: 'counting',
    async *stream(_prompt, { signal }) {
      const time = ++times
      yield { type: 'text', text: 'One ' }
      if (time === 1) await rest.opened
      if (time === 2) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      yield { type: 'text', text: time === 1 ? 'two.' : `again ${time}.` }
    },
  }
  return { model, rest }
}

test.each(pages)('$what is stopped, and answered anew', async ({ chat }) => {
  const { model, rest } = countingModel()
  rest.open()
  const server = await serve({ model }, { web })
  const page = await open(server, chat)
  await say(page, 'Count.')
  await expect.poll(() => shown(page), patience).toEqual(['Count.', 'One two.'])
  await say(page, 'More.')
  await expect.poll(() => shown(page), patience).toEqual(['Count.', 'One two.', 'More.', 'One'])
  await page.click('text=Stop')
  const turns = async () => {
    const { conversations } = (await server.call('GET', '/api/conversations')).body
    return (await server.call('GET', `/api/conversations/${conversations[0].id}`)).body.turns
  }
  await expect.poll(turns, patience).toMatchObject([{ status: 'completed' }, { status: 'interrupted' }])
  expect(await shown(page)).toEqual(['Count.', 'One two.', 'More.', 'One'])
  await page.click('text=Again')
  await expect.poll(() => shown(page), patience).toEqual(['Count.', 'One two.', 'More.', 'One again 3.'])
  await expect.poll(async () => (await turns())[2], patience).toMatchObject({ status: 'completed' })
})

test('a turn outlives a reload of its page, and so does a question', async () => {
  const { model: counting, rest } = countingModel()
  const scripted = scriptedModel([{ text: 'Let me see.', calls: [{ name: 'add', args: { a: 2, b: 3 } }] }, 'Five.'])
  const model: Model = {
    id: 'both',
    stream: (prompt, options) => (prompt.messages.length === 1 ? counting : scripted).stream(prompt, options),
  }
  const add = tool({ name: 'add', run: ({ a, b }) => Number(a) + Number(b) })
  const page = await open(await serve({ model, tools: [add], use: [approval()] }, { web }), 'reloaded')
  await say(page, 'Count.')
  await expect.poll(() => shown(page), patience).toEqual(['Count.', 'One'])
  await page.reload()
  await expect.poll(() => shown(page), patience).toEqual(['Count.', 'One'])
  rest.open()
  await expect.poll(() => shown(page), patience).toEqual(['Count.', 'One two.'])
  await say(page, '2 + 3?')
  await page.waitForSelector('text=Allow')
  await untilIdle(page)
  // A page that is loaded anew looks first whether a reply is on its way: an answer before that would be read twice.
  const resumed = page.waitForResponse(response => response.url().endsWith('/stream'))
  await page.reload()
  await resumed
  await untilIdle(page)
  await page.click('text=Allow')
  const sum = 'Let me see. {"toolName":"add","args":{"a":2,"b":3},"result":5} Five.'
  await expect.poll(() => shown(page), patience).toEqual(['Count.', 'One two.', '2 + 3?', sum])
})
