import type { Page } from 'playwright-core'
import { agentTool, createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { add, box, done, eventually, say, steppedModel } from './page.ts'
import { violations } from './violations.ts'

const app = testApp()

/** An agent that gives a task to another one, which says what the test lets it say. */
async function delegating() {
  const store = memoryStore()
  const child = steppedModel()
  const researcher = createAgent({ name: 'researcher', model: child.model, tools: [add], store })
  const model = scriptedModel([{ text: 'I ask.', calls: [{ name: 'research', args: { task: 'knots' } }] }, 'All done.'])
  await app.serve({ model, store, tools: [agentTool(researcher, { name: 'research' })] }, { store })
  return { child, page: await app.page() }
}
const work = (page: Page) => page.locator('.sub-agent-work')
const texts = (page: Page) => work(page).locator('p').allTextContents()
const callAdd = { type: 'call', id: 'c1', name: 'add', args: { a: 2, b: 3 } } as const

test('the card of a call shows what its sub-agent does: text as it comes, calls, how it stands', async () => {
  const { child, page } = await delegating()
  await say(page, 'go')
  await page.getByText('researcher works').waitFor()
  child.say('Reading about ')
  await eventually(() => texts(page)).toEqual(['Reading about'])
  child.say('knots.')
  await eventually(() => texts(page)).toEqual(['Reading about knots.'])
  child.say(callAdd)
  child.end()
  await page.locator('.sub-agent-call[data-status="ok"]').waitFor()
  child.say('Five ')
  await eventually(() => texts(page)).toEqual(['Reading about knots.', 'add2 3ok', 'Five'])
  await page.reload()
  await eventually(() => texts(page)).toEqual(['Reading about knots.', 'add2 3ok', 'Five'])
  child.say('papers.')
  await eventually(async () => (await texts(page)).at(-1)).toBe('Five papers.')
  child.end()
  await page.getByText('All done.').waitFor()
  await done(page)
  await eventually(() => work(page).count()).toBe(0)
  await eventually(() => page.locator('.tool').getAttribute('data-status')).toBe('ok')
  await page.reload()
  await page.getByRole('link', { name: 'Open its conversation' }).waitFor()
  expect(app.complaints).toEqual([])
})

test('the conversation of a sub-agent opens from the card and streams there', async () => {
  const { child, page } = await delegating()
  await say(page, 'go')
  await page.getByText('researcher works').waitFor()
  child.say('Reading about ')
  await eventually(() => texts(page)).toEqual(['Reading about'])
  await page.getByRole('link', { name: 'Open its conversation' }).click()
  const reply = page.locator('.message.assistant').last()
  await eventually(() => reply.textContent()).toContain('Reading about')
  await page.locator('.message.user', { hasText: 'knots' }).waitFor()
  child.say('knots.')
  await eventually(() => reply.textContent()).toContain('Reading about knots.')
  child.say(callAdd)
  child.end()
  await page.locator('.tool[data-status="ok"]', { hasText: 'add' }).waitFor()
  child.say('Five papers.')
  await eventually(() => reply.textContent()).toContain('Five papers.')
  await page.reload()
  await eventually(() => reply.textContent()).toContain('Five papers.')
  child.end()
  await done(page)
  await page.goBack()
  await page.getByText('All done.').waitFor()
  await box(page).waitFor()
  expect(app.complaints).toEqual([])
})

test('the page of a sub-agent names its caller, and leads back to the call', async () => {
  const { child, page } = await delegating()
  await say(page, 'find out about knots')
  await page.getByRole('link', { name: 'Open its conversation' }).click()
  const strip = page.getByRole('navigation', { name: 'Called from' })
  await eventually(() => strip.textContent()).toBe('Sub-agent researcher offind out about knots')
  await page.reload()
  await eventually(() => strip.textContent()).toContain('find out about knots')
  await page.setViewportSize({ width: 360, height: 700 })
  await eventually(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  expect(await violations(page)).toEqual([])
  await strip.getByRole('link', { name: 'find out about knots' }).click()
  await page.getByText('researcher works').waitFor()
  await eventually(() => strip.count()).toBe(0)
  child.end()
  await page.getByText('All done.').waitFor()
  expect(app.complaints).toEqual([])
})
