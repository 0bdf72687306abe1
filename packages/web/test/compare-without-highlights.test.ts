import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { eventually, say } from './page.ts'

const app = testApp()

test('a browser without highlights compares two branches, and offers no words to mark', async () => {
  const page = await app.open({ model: scriptedModel(['By sea.', 'By train.']) }, { reducedMotion: 'reduce' })
  await say(page, 'go')
  await page.getByText('By sea.').waitFor()
  await page.getByRole('button', { name: 'Try again, as a new branch' }).click()
  await page.getByText('By train.').waitFor()
  await page.evaluate(() => Reflect.deleteProperty(CSS, 'highlights'))
  await page.keyboard.press('Alt+t')
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  for (const text of ['By sea.', 'By train.']) await page.locator('.tree-node', { hasText: text }).press('Enter')
  await page.getByLabel('Second branch').getByText('By train.').waitFor()
  await eventually(() => page.getByRole('button', { name: 'Word by word' }).count()).toBe(0)
  expect(app.complaints).toEqual([])
})
