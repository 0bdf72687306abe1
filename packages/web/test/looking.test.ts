import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { done, eventually, say } from './page.ts'
import { violations } from './violations.ts'

const app = testApp()
const answers = ['One.', 'Two.', 'Three.', 'Four.', 'Five.']

test('at an inner message the page says in how many branches it continues, and leads there', async () => {
  const page = await app.open({ model: scriptedModel(answers) })
  await say(page, 'first')
  await done(page)
  for (const text of ['by boat', 'by train', 'on foot']) {
    await page.keyboard.press('Alt+t')
    await page.locator('.tree-node', { hasText: 'One.' }).click()
    await page.locator('.tree-node[aria-current]', { hasText: 'You are here' }).waitFor()
    await page.getByRole('button', { name: 'Go on from here' }).click()
    await say(page, text)
    await done(page)
  }
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node', { hasText: 'One.' }).click()
  await page.getByRole('button', { name: 'Go on from here' }).click()
  const goesOn = page.getByRole('button', { name: 'continues in 3 branches' })
  await goesOn.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'by boat 2 messages' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'by train' }).click()
  await page.getByText('Three.').waitFor()
  await eventually(() => goesOn.count()).toBe(0)
  await page.getByText('This branch: 4 messages').waitFor()
})

test('each tab looks where it looks; what another did is announced with a link; a new tab opens at the head', async () => {
  const store = memoryStore()
  await app.serve({ model: scriptedModel(answers), store }, { store })
  const page = await app.page()
  await say(page, 'first')
  await done(page)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByText('One.').waitFor()
  // A turn at the end of the branch that both look at is seen by both.
  await say(page, 'second')
  await other.getByText('Two.').waitFor()
  await done(other)
  await other.getByRole('button', { name: 'Try again, as a new branch' }).first().click()
  await other.getByText('Three.').waitFor()
  await done(other)
  await page.locator('.banners[aria-live="polite"]').getByText('Another page went on in another branch.').waitFor()
  await page.getByText('Two.').waitFor()
  await eventually(() => page.getByText('Three.').count()).toBe(0)
  // The next message goes to where this tab looks, and a reload stays there.
  await page.reload()
  await page.getByText('Two.').waitFor()
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await tab.getByText('Three.').waitFor()
  await eventually(() => tab.getByText('Two.').count()).toBe(0)
  await say(page, 'third')
  await page.getByText('Four.').waitFor()
  await done(page)
  await eventually(() => page.locator('.said').allTextContents()).toEqual(['first', 'second', 'third'])
  await other.getByRole('button', { name: 'Go there' }).click()
  await other.getByText('Four.').waitFor()
  await eventually(() => tab.getByText('Three.').count()).toBe(1)
})
