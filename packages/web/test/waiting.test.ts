import { approval } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate } from '../../server/test/serve.ts'
import { testApp } from './open-app.ts'
import { add, box, callsAdd, done, eventually, say, steppedModel } from './page.ts'
import { violations } from './violations.ts'

const app = testApp()

test('a question that waits is marked in the tab and the list, and notified of once the person has asked for that', async () => {
  const calls = { calls: callsAdd.calls }
  await app.serve({ model: scriptedModel([calls, calls]), tools: [add], use: [approval()] })
  const page = await app.page()
  await page.addInitScript(() => {
    const told: string[] = []
    let permission = 'default'
    class Told {
      static get permission() {
        return permission
      }
      static async requestPermission() {
        told.push('asked for')
        permission = 'granted'
        return permission
      }
      constructor(title: string) {
        told.push(title)
      }
    }
    Object.assign(window, { told, Notification: Told })
    document.hasFocus = () => false
  })
  const told = () => page.evaluate('window.told')
  await page.reload()
  await say(page, 'add')
  await page.getByText('May add run?').waitFor()
  await eventually(() => page.title()).toMatch(/^\(1\) /)
  await page.locator('.conversation').getByText('Waits for you').waitFor()
  expect(await told()).toEqual([])
  await page.getByRole('button', { name: 'Notify me when a question waits' }).click()
  await eventually(() => page.getByRole('button', { name: 'Notify me when a question waits' }).count()).toBe(0)
  await eventually(() => told()).toEqual(['asked for'])
  await page.getByRole('button', { name: 'New conversation' }).click()
  await say(page, 'once more')
  await eventually(told).toEqual(['asked for', 'once more'])
})

test('the notification is the browser’s own, and a click on it leads to the question', async () => {
  await app.serve({ model: scriptedModel([callsAdd, 'Hi.']), tools: [add], use: [approval()] })
  const page = await app.page()
  await page.addInitScript(() => {
    const kept: Notification[] = []
    class Kept extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        kept.push(this)
      }
    }
    // A Chromium without a desktop refuses them all, whatever it was granted; its class is real.
    Object.defineProperty(Kept, 'permission', { value: 'granted' })
    Object.assign(window, { kept, Notification: Kept })
    document.hasFocus = () => false
  })
  const kept = () =>
    page.evaluate(() =>
      (window as unknown as { kept: Notification[] }).kept.map(({ title, body }) => `${title}: ${body}`),
    )
  await page.reload()
  await say(page, 'add two and three')
  await eventually(kept).toEqual(['add two and three: A question waits for you.'])
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByText('What shall we turn to?').waitFor()
  await page.evaluate(() => (window as unknown as { kept: Notification[] }).kept[0]?.dispatchEvent(new Event('click')))
  await page.getByText('May add run?').waitFor()
  expect(app.complaints).toEqual([])
})

test('a question has the focus where nobody is at anything else: after a click on Send, or on a message', async () => {
  const held = gate()
  const model = scriptedModel([callsAdd, 'Then not.', () => held.opened.then(() => callsAdd), 'Five.'])
  const page = await app.open({ model, tools: [add], use: [approval()] })
  const focused = () => page.evaluate(() => document.activeElement?.id)
  await box(page).fill('add')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('May add run?').waitFor()
  await eventually(focused).toBe('composer')
  await page.keyboard.press('d')
  await page.getByText('Then not.').waitFor()
  await done(page)
  await say(page, 'once more')
  await page.getByText('Then not.').click()
  await eventually(focused).toMatch(/^m-/)
  held.open()
  await page.getByText('May add run?').waitFor()
  await eventually(focused).toBe('composer')
  await page.keyboard.press('a')
  await page.getByText('Five.').waitFor()
})

test('a question leaves the focus with the field that somebody writes in', async () => {
  const held = gate()
  const model = scriptedModel([() => held.opened.then(() => callsAdd), 'Five.'])
  const page = await app.open({ model, tools: [add], use: [approval()] })
  await say(page, 'add')
  await page.keyboard.press('Alt+k')
  await page.keyboard.type('half a w')
  held.open()
  await page.getByText('May add run?').waitFor()
  await page.keyboard.type('ord')
  expect(await page.getByLabel(/Search in all/).inputValue()).toBe('half a word')
})

test('reasoning is Markdown, and says for how long it was thought', async () => {
  const stepped = steppedModel()
  const clock = virtualClock(Date.now())
  const page = await app.open({ model: stepped.model, clock })
  await say(page, 'go')
  stepped.say({ type: 'reasoning', text: 'It is **deep**:\n\n- one\n- two' })
  const reasoning = page.locator('.reasoning')
  await reasoning.getByText('Thinking …').click()
  await reasoning.locator('strong', { hasText: 'deep' }).waitFor()
  await eventually(() => reasoning.locator('li').count()).toBe(2)
  await clock.advance(4000)
  stepped.say('Five.')
  stepped.end()
  await page.getByText('Five.').waitFor()
  await done(page)
  await page.reload()
  await reasoning.locator('summary').click()
  await reasoning.locator('strong', { hasText: 'deep' }).waitFor()
  await eventually(() => reasoning.locator('summary').textContent()).toBe('Thought for 4 s')
})

test('what was hidden is listed in the tree, and shown again', async () => {
  const page = await app.open({ model: scriptedModel(['One.', 'Two.']) })
  await say(page, 'first')
  await done(page)
  await say(page, `second ${'and so on '.repeat(40)}`)
  await page.getByText('Two.').waitFor()
  await done(page)
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node', { hasText: 'second' }).click()
  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  await page.getByRole('button', { name: 'Hide the subtree' }).click()
  await eventually(() => page.locator('.tree-node').count()).toBe(2)
  await page.reload()
  await page.getByText('One.').waitFor()
  await page.keyboard.press('Alt+t')
  await page.getByRole('button', { name: 'Hidden messages' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hidden messages' })
  await dialog.getByText(/^second and so on/).waitFor()
  // A text that is cut leaves room for what comes with it.
  const [count, row] = [
    await dialog.getByText('and 1 below it').boundingBox(),
    await dialog.getByRole('listitem').boundingBox(),
  ]
  expect((count?.y ?? 0) + (count?.height ?? 0)).toBeLessThanOrEqual((row?.y ?? 0) + (row?.height ?? 0))
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Show again' }).click()
  await dialog.getByText('Nothing is hidden').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await eventually(() => page.locator('.tree-node').count()).toBe(4)
})
