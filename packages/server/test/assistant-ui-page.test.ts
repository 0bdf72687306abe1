import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../turnbuckle/test/chromium.ts'
import { type Served, serve } from './serve.ts'

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
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  rmSync(web, { recursive: true, force: true })
})

async function open({ url, token }: Served): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(`${url}/#token=${token}`)
  await page.waitForSelector('textarea')
  return page
}
async function say(page: Page, text: string): Promise<void> {
  await page.fill('textarea', text)
  await page.press('textarea', 'Enter')
}
const shown = async (page: Page) =>
  (await page.locator('article').allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim())
const patience = { timeout: 20_000 }

test('a page of assistant-ui chats, asks for an approval, and runs a tool of its own', async () => {
  const model = scriptedModel([
    'Hello.',
    { text: 'Let me see.', calls: [{ name: 'add', args: { a: 2, b: 3 } }] },
    'Five.',
    { text: 'I look.', calls: [{ name: 'where', args: {} }] },
    'In Oslo.',
  ])
  const add = tool({ name: 'add', run: ({ a, b }) => Number(a) + Number(b) })
  const page = await open(await serve({ model, tools: [add], use: [approval({ allow: ['where'] })] }, { web }))
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
