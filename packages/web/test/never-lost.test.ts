import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Model, middleware, offline, offlineTools } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { workspaceTools } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { add, box, callsAdd, done, eventually, replies, say, steppedModel } from './page.ts'

const app = testApp()

test('every conversation has its draft and its link; another tab signs in by itself', async () => {
  await app.serve({ model: scriptedModel(['Hi.'], { repeat: true }) })
  await app.server.newConversation('First')
  const page = await app.page()
  await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('composer')
  await page.keyboard.type('for a new one')
  const days = () => page.locator('.rail-day').allTextContents()
  await eventually(days).toEqual(['Today'])
  const first = page.getByRole('link', { name: 'First' })
  await first.click()
  await eventually(() => box(page).inputValue()).toBe('')
  await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('composer')
  await page.keyboard.type('for the first')
  await page.reload()
  await eventually(() => box(page).inputValue()).toBe('for the first')
  await page.getByRole('button', { name: 'New conversation' }).click()
  await eventually(() => box(page).inputValue()).toBe('for a new one')
  await page.keyboard.press('Enter')
  await done(page)
  await eventually(() => box(page).inputValue()).toBe('')
  // The new one stands above it in the list: a click before that would miss.
  await eventually(() => page.locator('.conversation-title').allTextContents()).toEqual(['for a new one', 'First'])
  const here = page.url()
  await Promise.all([page.context().waitForEvent('page'), first.click({ modifiers: ['Control'] })])
  expect(page.url()).toBe(here)
  const tab = await page.context().newPage()
  await tab.goto(app.server.url + (await first.getAttribute('href')))
  await tab.getByRole('heading', { level: 1, name: 'First' }).waitFor()
  // A cookie would go to the other ports of the host too.
  expect(await page.context().cookies()).toEqual([])
  await page.locator('.conversation-item', { has: first }).hover()
  await page.getByRole('button', { name: 'Rename or delete First' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Title').fill('Renamed')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Renamed' }).waitFor()
  await page.clock.setFixedTime(Date.now() + 24 * 60 * 60 * 1000)
  await page.reload()
  await eventually(days).toEqual(['Yesterday'])
})

test('a waiting question is answered from the composer, and a denied call shows at once', async () => {
  const calls = [callsAdd.calls[0], callsAdd.calls[0]].map((call, i) => ({ ...call, name: 'add', id: `c${i}` }))
  const model = scriptedModel([callsAdd, { calls }, 'Done.'])
  const store = memoryStore()
  await app.serve({ model, tools: [add], use: [approval()], breaker: false, store }, { store })
  const page = await app.page()
  await say(page, 'go')
  await page.getByText('A allows once · D denies').waitFor()
  // What a log keeps waits as long as it takes.
  expect(await page.locator('.deadline').count()).toBe(0)
  await box(page).press('a')
  const status = page.locator('.tool-status')
  await eventually(() => status.first().textContent()).toMatch(/^Completed/)
  await page.getByText('A allows once · D denies').waitFor()
  await box(page).press('d')
  await eventually(() => status.nth(1).textContent()).toBe('Denied')
  await eventually(() => status.nth(2).textContent()).not.toBe('Denied')
  await say(page, 'not that one')
  await page.getByText('Done.').waitFor()
  await page.locator('.tool-reason', { hasText: 'not that one' }).waitFor()
  await eventually(() => page.locator('.message.user').count()).toBe(1)
})

test('stop is the primary button, a stop is no failure, and Try again tries again; far up one can jump to the latest', async () => {
  const stepped = steppedModel()
  let inputs = 0
  const counts = middleware({ name: 'counts', beforeInput: () => void inputs++ })
  const page = await app.open({ model: stepped.model, use: [counts] })
  await say(page, 'go')
  stepped.say(Array.from({ length: 120 }, (_, i) => `Line ${i}.`).join('\n\n'))
  await page.getByText('Line 119.').waitFor()
  const jump = page.getByRole('button', { name: 'Jump to latest' })
  await eventually(() => jump.count()).toBe(0)
  await page.locator('.scroll').evaluate(box => box.scrollTo(0, 0))
  await jump.click()
  await eventually(() =>
    page.locator('.scroll').evaluate(one => one.scrollHeight - one.scrollTop - one.clientHeight),
  ).toBeLessThan(80)
  await eventually(() => jump.count()).toBe(0)
  await eventually(() => page.locator('.composer-box .send').getAttribute('aria-label')).toBe('Stop (ESC ESC)')
  await page.keyboard.press('Alt+i')
  await page.locator('.composer-box .send').click()
  await page.getByText('Stopped on request').waitFor()
  await eventually(() => page.locator('.timeline li[data-status="failed"], .span-error').count()).toBe(0)
  await eventually(() => page.locator('.message.user time').textContent()).toMatch(/\d/)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  stepped.say('More of it.')
  stepped.end()
  await page.getByText('More of it.').waitFor()
  await eventually(() => page.getByText('Line 119.').count()).toBe(1)
  await done(page)
  // What goes on has no new message: the hooks for one are not asked.
  expect(inputs).toBe(1)
  await page.getByRole('button', { name: 'Try again, as a new branch' }).last().click()
  stepped.say('Better.')
  stepped.end()
  await page.getByText('Better.').waitFor()
  // The answer has a sibling, the question has none.
  await eventually(() => page.locator('.message.user .branches').count()).toBe(0)
  await page.locator('.message.assistant .branches').waitFor()
  await eventually(() => page.locator('.message.user').count()).toBe(1)
})

test('every failed turn says why and can be tried again, also when the conversation went on', async () => {
  let calls = 0
  const model: Model = {
    id: 'fails-first',
    async *stream() {
      if (++calls === 1) throw new Error('The provider is overloaded.')
      yield { type: 'text', text: `Answer ${calls}.` }
    },
  }
  const page = await app.open({ model })
  await say(page, 'one')
  const failed = page.locator('.turn-end.failed')
  await eventually(() => failed.textContent()).toContain('The provider is overloaded.')
  await done(page)
  await say(page, 'two')
  await page.getByText('Answer 2.').waitFor()
  await done(page)
  await eventually(() => failed.textContent()).toContain('The provider is overloaded.')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Answer 3.').waitFor()
  await eventually(() => page.locator('.said').allTextContents()).toEqual(['one'])
  await eventually(() => failed.count()).toBe(0)
})

test('hiding says how many messages, and is undone', async () => {
  const page = await app.open({ model: scriptedModel(['One.', 'Two.']) })
  await say(page, 'first')
  await done(page)
  await say(page, 'second')
  await page.getByText('Two.').waitFor()
  await page.keyboard.press('Alt+t')
  await page.getByRole('button', { name: 'Hide' }).click()
  await page.getByText('Hide this message?').waitFor()
  await page.getByRole('button', { name: 'Hide the subtree' }).click()
  await page.getByText('One message is hidden.').waitFor()
  await page.keyboard.press('Alt+t')
  await eventually(() => page.getByText('Two.').count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Two.').waitFor()
})

test('the first screen says that a script answers, and every prompt it offers works', async () => {
  const root = mkdtempSync(join(tmpdir(), 'weba-'))
  writeFileSync(join(root, 'notes.txt'), 'bread')
  const agent = { model: offline({ delayMs: 0 }), tools: workspaceTools({ root }), use: [offlineTools()] }
  const page = await app.open(agent)
  await page.getByText('A script answers here, no AI.').waitFor()
  await page.getByText('turnbuckle setup').waitFor()
  const offered = await page.locator('.idea').allTextContents()
  const works: Readonly<Record<string, RegExp>> = {
    'What can you do?': /I am the offline model/,
    'List the files here': /notes\.txt/,
    'What is 17 × 23?': /is 391/,
  }
  expect(offered).toEqual(Object.keys(works))
  for (const prompt of offered) {
    await page.keyboard.press('Alt+n')
    await page.getByRole('button', { name: prompt }).click()
    await eventually(() => replies(page).last().textContent()).toMatch(works[prompt] as RegExp)
    await done(page)
  }
})
