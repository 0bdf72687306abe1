import type { Page } from 'playwright-core'
import type { Model } from 'turnbuckle'
import { resolveModel } from 'turnbuckle/models'
import { expect, test } from 'vitest'
import { anthropicServer } from './anthropic-server.ts'
import { testApp } from './open-app.ts'
import { done, eventually, replies, say } from './page.ts'

const app = testApp()

const key = 'sk-ant-never-to-be-seen'
const modelAt = (url: string, apiKey = key): Promise<Model> =>
  resolveModel('anthropic/claude-sonnet-4-5', { env: { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: url } })

/** All that the page is sent from now on: answers and frames of its socket. */
function heardBy(page: Page): () => Promise<string> {
  const heard: Promise<string>[] = []
  page.on('response', response => heard.push(response.text().catch(() => '')))
  page.on('websocket', socket =>
    socket.on('framereceived', ({ payload }) => heard.push(Promise.resolve(String(payload)))),
  )
  return async () => (await Promise.all(heard)).join('\n')
}

test('the inspector shows what a provider was sent and what came back, and nowhere its key', async () => {
  const provider = await anthropicServer(key, ['Good day.'])
  const instructions = 'Be polite.'
  const page = await app.open({ model: await modelAt(provider.url), instructions })
  const heard = heardBy(page)
  await page.reload()
  await page.keyboard.press('Alt+n')
  await say(page, 'hello there')
  await page.getByText('Good day.').waitFor()
  await done(page)
  await page.keyboard.press('Alt+i')
  const call = page.locator('.exchange').first()
  await call.getByText('sent to anthropic/claude-sonnet-4-5').click()
  const sent = call.getByRole('figure', { name: 'Sent' })
  for (const text of [instructions, 'hello there']) await sent.getByText(text).waitFor()
  await call.getByRole('figure', { name: 'Came back' }).getByText('Good day.').waitFor()
  // The provider has got the key: it would not have answered.
  expect(provider.prompts).toHaveLength(1)
  expect(await page.content()).not.toContain(key)
  const all = await heard()
  expect(all).toContain('Be polite.')
  expect(all).not.toContain(key)
})

test('a provider that repeats a refused key in its error does not bring it onto the page', async () => {
  const provider = await anthropicServer('another', [])
  const page = await app.open({ model: await modelAt(provider.url) })
  const heard = heardBy(page)
  await page.reload()
  await say(page, 'hello')
  await eventually(() => page.locator('.turn-end.failed').textContent()).toContain('Check the API key.')
  await page.keyboard.press('Alt+i')
  await page.locator('.exchange summary').first().click()
  await page.locator('.exchange .span-error').first().waitFor()
  expect(await page.content()).not.toContain(key)
  expect(await heard()).not.toContain(key)
})

test('Continue after a stop goes on where a provider refuses a prompt that ends with the assistant', async () => {
  const provider = await anthropicServer(key, ['The first half …', 'and the second.', 'Gladly.'])
  const page = await app.open({ model: await modelAt(provider.url) })
  await say(page, 'tell me')
  await page.getByText('The first half …').waitFor()
  await page.getByRole('button', { name: 'Stop (ESC ESC)' }).click()
  await page.getByText('Stopped on request').waitFor()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByText('and the second.').waitFor()
  await done(page)
  await eventually(() => replies(page).locator('.prose').allTextContents()).toEqual([
    'The first half …',
    'and the second.',
  ])
  await eventually(() => page.locator('.said').allTextContents()).toEqual(['tell me'])
  await eventually(() => page.locator('.turn-end').count()).toBe(0)
  const roles = () => provider.prompts.map(({ messages }) => messages.map(({ role }) => role).join(' '))
  expect(roles()).toEqual(['user', 'user assistant user'])
  expect(JSON.stringify(provider.prompts.at(-1))).toContain('Go on exactly where your last message ends.')
  // The instruction has passed: the next prompt is without it.
  await say(page, 'thank you')
  await page.getByText('Gladly.').waitFor()
  expect(JSON.stringify(provider.prompts.at(-1))).not.toContain('Go on exactly')
  await eventually(() => page.getByText('Go on exactly').count()).toBe(0)
})
