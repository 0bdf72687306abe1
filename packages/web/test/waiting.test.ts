import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { add, callsAdd, done, eventually, say, steppedModel } from './page.ts'
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

test('reasoning is Markdown, and says for how long it was thought', async () => {
  const stepped = steppedModel()
  const page = await app.open({ model: stepped.model })
  await say(page, 'go')
  stepped.say({ type: 'reasoning', text: 'It is **deep**:\n\n- one\n- two' })
  const reasoning = page.locator('.reasoning')
  await reasoning.getByText('Thinking …').click()
  await reasoning.locator('strong', { hasText: 'deep' }).waitFor()
  await eventually(() => reasoning.locator('li').count()).toBe(2)
  stepped.say('Five.')
  stepped.end()
  await page.getByText('Five.').waitFor()
  await done(page)
  await page.reload()
  await reasoning.locator('summary').click()
  await reasoning.locator('strong', { hasText: 'deep' }).waitFor()
  await eventually(() => reasoning.locator('summary').textContent()).toMatch(/^(Reasoning|Thought for \d+ s)$/)
})

test('what was hidden is listed in the tree, and shown again', async () => {
  const page = await app.open({ model: scriptedModel(['One.', 'Two.']) })
  await say(page, 'first')
  await done(page)
  await say(page, 'second')
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
  await dialog.getByText('second and 1 below it').waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Show again' }).click()
  await dialog.getByText('Nothing is hidden').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await eventually(() => page.locator('.tree-node').count()).toBe(4)
})
