import axe from 'axe-core'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { add, callsAdd, say } from './page.ts'

const app = testApp()

test('no accessibility violations in light and dark: welcome, chat with a question, tree, inspector, phone', async () => {
  const page = await app.open({
    model: scriptedModel(['# Hello\n\n`code` and [a link](https://example.org)', callsAdd, 'Five.']),
    tools: [add],
    use: [approval()],
  })
  const check = async (where: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForTimeout(200)
      await page.evaluate(axe.source)
      const { violations } = (await page.evaluate(
        'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] })',
      )) as axe.AxeResults
      expect(
        violations.map(
          ({ id, nodes }) =>
            `${where} ${colorScheme} ${id}: ${nodes.map(node => `${node.html} ${node.failureSummary}`).join(' | ')}`,
        ),
      ).toEqual([])
    }
  }
  await check('welcome')
  await say(page, 'hello')
  await page.getByText('a link').waitFor()
  await say(page, 'add')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await check('question')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Five.').waitFor()
  await page.keyboard.press('Alt+i')
  await page.locator('.timeline').waitFor()
  await check('inspector')
  await page.getByRole('tab', { name: 'Middleware' }).click()
  await page.getByRole('switch').first().waitFor()
  await check('middleware')
  await page.keyboard.press('Alt+i')
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  await check('tree')
  await page.keyboard.press('Alt+t')
  await page.setViewportSize({ width: 390, height: 800 })
  await check('phone')
})
