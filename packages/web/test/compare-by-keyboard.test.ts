import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { done, eventually, say } from './page.ts'

const app = testApp()

test('two branches are picked, compared word by word, left and gone on with by the keyboard alone', async () => {
  const page = await app.open({ model: scriptedModel(['By sea.', 'By train.']) }, { reducedMotion: 'reduce' })
  await say(page, 'go')
  await done(page)
  await page.getByRole('button', { name: 'Try again, as a new branch' }).press('Enter')
  await page.getByText('By train.').waitFor()
  await done(page)
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')
  /** Presses a key until what it leads to has the focus. */
  const press = async (key: string, name: RegExp) => {
    for (let i = 0; i < 40 && !name.test(await focused()); i++) await page.keyboard.press(key)
    expect(await focused()).toMatch(name)
  }
  await page.keyboard.press('Alt+t')
  await eventually(focused).toBe('Tree of the conversation')
  await press('Tab', /^Compare two branches$/)
  await page.keyboard.press('Enter')
  await press('Tab', /You are here/)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Compare two branches: Pick one more' }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await eventually(focused).toContain('By sea.')
  await page.keyboard.press('Enter')
  await page.getByLabel('Second branch').getByText('By sea.').waitFor()
  await press('Tab', /^Word by word$/)
  await page.keyboard.press('Enter')
  await page.getByLabel('Second branch').getByText('Only in this branch: “sea”.').waitFor({ state: 'attached' })
  await press('Tab', /^Close the comparison$/)
  await page.keyboard.press('Enter')
  await page.locator('.tree-node[aria-current]').waitFor()
  // The next key begins where the panel is.
  await page.keyboard.press('ArrowDown')
  await eventually(focused).toContain('You are here')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Compare two branches', exact: true }).waitFor()
  expect(app.complaints).toEqual([])
})
