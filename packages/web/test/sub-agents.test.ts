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
/** Ada’s conversation, in which a guide has asked a scout. */
async function sharedByAda() {
  const store = memoryStore()
  const scout = createAgent({ name: 'scout', model: scriptedModel(['I saw **three** knots.']), store })
  const look = [{ calls: [{ name: 'look', args: { task: 'look' } }] }, 'There are three.']
  const tools = [agentTool(scout, { name: 'look' })]
  const guide = createAgent({ name: 'guide', model: scriptedModel(look), store, tools })
  const model = scriptedModel([{ text: 'I ask.', calls: [{ name: 'lead', args: { task: 'count' } }] }, 'All done.'])
  const tokens = 'ada:a-token:owner,bob:b-token:viewer'
  const given = { model, store, tools: [agentTool(guide, { name: 'lead' })] }
  await app.serve(given, { store, token: undefined, tokens })
  const page = await app.page({}, 'a-token')
  await say(page, 'how many knots?')
  await page.getByText('All done.').waitFor()
  await done(page)
  return page
}
const choose = async (page: Page, item: string) => {
  await page.getByRole('button', { name: /Actions for/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const wayIn = (page: Page) => page.getByRole('link', { name: 'Open its conversation' })

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

test('a sub-agent’s text is drawn as Markdown in the card', async () => {
  const { child, page } = await delegating()
  await say(page, 'go')
  child.say('Reading **two** papers:\n\n- one\n- `tw')
  await eventually(() => work(page).locator('strong').allTextContents()).toEqual(['two'])
  await eventually(() => work(page).locator('li').allTextContents()).toEqual(['one', 'tw'])
  child.say('o`')
  await eventually(() => work(page).locator('li code').allTextContents()).toEqual(['two'])
  expect(await violations(page)).toEqual([])
  child.end()
  await page.getByText('All done.').waitFor()
  expect(app.complaints).toEqual([])
})

test('a person with whom a conversation is shared reads its sub-agents’, and writes in none', async () => {
  const ada = await sharedByAda()
  await choose(ada, 'Share with a person')
  const dialog = ada.getByRole('dialog', { name: 'Share with a person' })
  await dialog.getByLabel('Name of the person').fill('bob')
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await dialog.getByRole('button', { name: 'Share no longer with bob' }).waitFor()
  const bob = await app.page({}, 'b-token')
  await bob.locator('.conversation').click()
  await wayIn(bob).click()
  await bob.getByText('There are three.').waitFor()
  await wayIn(bob).click()
  await bob.getByText('I saw three knots.').waitFor()
  const strip = bob.getByRole('navigation', { name: 'Called from' })
  await eventually(() => strip.textContent()).toContain('Sub-agent scout')
  await eventually(() => box(bob).count()).toBe(0)
  await eventually(() => bob.locator('.conversation').count()).toBe(1)
  await dialog.getByRole('button', { name: 'Share no longer with bob' }).click()
  await eventually(() => bob.getByText('I saw three knots.').count()).toBe(0)
  expect(app.complaints).toEqual([])
})

test('a read-only link leads to the sub-agents’ conversations and back, without a sign-in', async () => {
  const ada = await sharedByAda()
  await choose(ada, 'Share a link')
  await ada.getByRole('button', { name: 'Make the link' }).click()
  const address = await ada.getByLabel('Address of the link').inputValue()
  const reader = await (await app.browser.newContext()).newPage()
  reader.on('pageerror', error => app.complaints.push(String(error)))
  await reader.goto(address)
  await wayIn(reader).click()
  await reader.getByText('There are three.').waitFor()
  await wayIn(reader).click()
  await reader.getByText('I saw three knots.').waitFor()
  await eventually(() => reader.getByRole('textbox').count()).toBe(0)
  expect(await violations(reader)).toEqual([])
  await reader.goBack()
  await reader.getByText('There are three.').waitFor()
  await reader.getByRole('link', { name: 'the shared conversation' }).click()
  await reader.getByText('All done.').waitFor()
  await ada.getByRole('button', { name: 'Revoke' }).click()
  await eventually(() => ada.getByRole('button', { name: 'Revoke' }).count()).toBe(0)
  await wayIn(reader).click()
  await reader.getByText('Nothing is shared here').waitFor()
  expect(app.complaints).toEqual([])
})
