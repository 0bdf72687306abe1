import { middleware } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate } from '../../server/test/serve.ts'
import { testApp } from './open-app.ts'
import { box, done, eventually, holdTurns, say, steppedModel } from './page.ts'

const app = testApp()

test('what is written while a message is on its way stays; a second press sends nothing twice', async () => {
  const page = await app.open({ model: scriptedModel(['First.', 'Second.']) })
  const [asked, held] = [gate(), gate()]
  await page.route('**/api/conversations', async route => {
    if (route.request().method() === 'POST') {
      asked.open()
      await held.opened
    }
    await route.continue()
  })
  await say(page, 'one')
  await asked.opened
  await box(page).press('Enter')
  await box(page).pressSequentially(' and two')
  held.open()
  await page.getByText('First.').waitFor()
  await eventually(() => box(page).inputValue()).toBe(' and two')
  await done(page)
  await box(page).press('Enter')
  await page.getByText('Second.').waitFor()
  await eventually(() => page.locator('.said').allTextContents()).toEqual(['one', ' and two'])
  await eventually(() => page.locator('.conversation').count()).toBe(1)
  expect(app.complaints).toEqual([])
})

test('an edit outlives another conversation, a failure meanwhile, and a reload', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) })
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  await done(page)
  const address = page.url()
  const failed = gate()
  await page.route('**/turns', async route => {
    await failed.opened
    await route.abort()
  })
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  const edit = page.getByLabel('Edit your message')
  await edit.fill('hello, but better')
  await edit.press('Enter')
  await page.getByRole('button', { name: 'Sending …' }).waitFor()
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  failed.open()
  await page.getByText('What shall').or(page.locator('.welcome')).first().waitFor()
  await page.goBack()
  await eventually(() => edit.inputValue()).toBe('hello, but better')
  await page.getByRole('button', { name: 'Send as a new branch' }).waitFor()
  await page.goto(address)
  await eventually(() => edit.inputValue()).toBe('hello, but better')
  await page.unroute('**/turns')
  await edit.press('Enter')
  await eventually(() => page.locator('.said').allTextContents()).toEqual(['hello, but better'])
  await eventually(() => edit.count()).toBe(0)
})

test('a draft outlives a look at the tree and a reload', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) })
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  await box(page).fill('half a thought')
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node').first().waitFor()
  await page.keyboard.press('Alt+t')
  await eventually(() => box(page).inputValue()).toBe('half a thought')
  await page.reload()
  await page.getByText('Hi.').waitFor()
  await eventually(() => box(page).inputValue()).toBe('half a thought')
})

test.each([
  { what: 'a reload', leave: 'reload' },
  { what: 'going to another conversation', leave: 'new' },
])('what is queued outlives $what, and is sent once, where it was queued', async ({ leave }) => {
  const { model, say: speak, end } = steppedModel()
  const page = await app.open({ model })
  await say(page, 'talk')
  speak('Once')
  await page.getByText('Once').waitFor()
  await box(page).fill('afterwards this')
  await box(page).press('Alt+Enter')
  await page.getByLabel('Sent when the turn has ended').waitFor()
  if (leave === 'reload') {
    await page.reload()
    await page.getByLabel('Sent when the turn has ended').getByText('afterwards this').waitFor()
  } else {
    await page.keyboard.press('Alt+n')
    await page.getByText('What shall we turn to?').waitFor()
    await eventually(() => page.getByLabel('Sent when the turn has ended').count()).toBe(0)
  }
  end()
  speak('Twice')
  end()
  if (leave === 'new') await page.locator('.conversation').click()
  await page.getByText('Twice').waitFor()
  await done(page)
  await eventually(() => page.locator('.said').allTextContents()).toEqual(['talk', 'afterwards this'])
  await eventually(() => page.locator('.outbox').count()).toBe(0)
})

test('files that are pasted while a turn runs are sent after it, with their words', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await app.open({ model })
  await say(page, 'talk')
  speak('Once')
  await page.getByText('Once').waitFor()
  await box(page).evaluate(element => {
    const data = new DataTransfer()
    data.items.add(new File(['words'], 'notes.txt', { type: 'text/plain' }))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  })
  await page.getByRole('button', { name: 'Remove notes.txt' }).waitFor()
  await say(page, 'read this')
  await page.getByLabel('Sent when the turn has ended').getByText('read this').waitFor()
  end()
  speak('Twice')
  end()
  await page.getByText('Twice').waitFor()
  await eventually(() => page.locator('.message.user').last().textContent()).toMatch(/notes\.txt.*read this/s)
})

test('a message that is on its way while another conversation is opened does not stay in the box of its own', async () => {
  const page = await app.open({ model: scriptedModel(['First.', 'Second.']) })
  await say(page, 'one')
  await page.getByText('First.').waitFor()
  await done(page)
  const { asked, arrive } = await holdTurns(page)
  await say(page, 'two')
  await asked
  await page.keyboard.press('Alt+n')
  await page.getByText('What shall we turn to?').waitFor()
  await box(page).fill('a new thought')
  arrive()
  await page.locator('.conversation').click()
  await page.getByText('Second.').waitFor()
  await eventually(() => box(page).inputValue()).toBe('')
  await page.keyboard.press('Alt+n')
  await eventually(() => box(page).inputValue()).toBe('a new thought')
})

test('the words of a message are shown while a hook holds them, before they are recorded, and once', async () => {
  const held = gate()
  const slow = middleware({ name: 'slow', beforeInput: () => held.opened })
  const page = await app.open({ model: scriptedModel(['Hi.']), use: [slow] })
  await say(page, 'these are my words')
  const said = page.locator('.message.user .said')
  await eventually(() => said.allTextContents()).toEqual(['these are my words'])
  await page.getByText('Working …').waitFor()
  held.open()
  await page.getByText('Hi.').waitFor()
  await eventually(() => said.allTextContents()).toEqual(['these are my words'])
  expect(app.complaints).toEqual([])
})
