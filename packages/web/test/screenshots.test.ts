import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type App, openApp } from './open-app.ts'

/** The pictures of the docs. They are taken anew with SCREENSHOTS=1; else it is only seen that they can be. */
const folder = join(import.meta.dirname, '../../../docs/images')
const keep = process.env.SCREENSHOTS === '1'

let app: App
beforeAll(async () => {
  app = await openApp()
})
afterAll(async () => {
  await app?.closePages()
  await app?.close()
})

const tide = tool({
  name: 'tide_table',
  description: 'High and low water for a harbour.',
  input: z.object({ harbour: z.string(), day: z.string() }),
  run: () => ({ high: ['05:41', '18:04'], low: ['11:52'], range: '3.8 m' }),
})
const book = tool({
  name: 'book_berth',
  description: 'Books a berth for a night. It costs money.',
  input: z.object({ harbour: z.string(), nights: z.number() }),
  run: () => 'Berth 14 is yours.',
})
const usage = { inputTokens: 1840, outputTokens: 212, cost: 0.0087 }
const plan = `High water in **St. Malo** is at 05:41 and 18:04, so the lock is open from about 16:30.

| leg | miles | leave | arrive |
|---|---|---|---|
| Jersey → Chausey | 24 | 08:00 | 12:30 |
| Chausey → St. Malo | 17 | 13:30 | 17:00 |

\`\`\`ts
const speed = 5.2 // knots over ground
const hours = (24 + 17) / speed
\`\`\`

> With the wind in the south-west, expect a *short sea* off the Minquiers.`

const script = [
  {
    reasoning: 'The lock at St. Malo depends on the tide.',
    text: 'I will look at the tides first.',
    calls: [{ name: 'tide_table', args: { harbour: 'St. Malo', day: 'Saturday' } }],
    usage,
  },
  { text: plan, usage },
  { text: 'By train it takes four hours, and you do not get wet. There is one at 09:12 from Rennes.', usage },
  {
    text: 'A berth is free on Saturday night.',
    calls: [{ name: 'book_berth', args: { harbour: 'St. Malo', nights: 1 } }],
    usage,
  },
  { text: 'Berth 14 is yours. Fair winds!', usage },
]

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}
async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(400)
  const picture = await page.screenshot(keep ? { path: join(folder, `${name}.png`) } : {})
  expect(picture.length).toBeGreaterThan(10_000)
}

test('pictures of the main views', async () => {
  if (keep) mkdirSync(folder, { recursive: true })
  await app.serve({ model: scriptedModel(script), tools: [tide, book], use: [approval({ allow: ['tide_table'] })] })
  for (const title of ['Notes on splicing', 'Rigging the mainsail', 'Weather for the weekend'])
    await app.server.call('POST', '/api/conversations', { title })
  const page = await app.page()
  await say(page, 'Plan a weekend from Jersey to St. Malo')
  await page.getByText('With the wind').waitFor()
  await shoot(page, 'chat')
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await page.getByLabel('Edit your message').fill('How would we get to St. Malo by train?')
  await page.keyboard.press('Enter')
  await page.getByText('By train it takes').waitFor()
  await page.getByRole('button', { name: 'Previous branch' }).click()
  await page.getByText('With the wind').waitFor()
  await say(page, 'Good. Book a berth for Saturday.')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await shoot(page, 'approval')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Fair winds!').waitFor()
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  await page.getByRole('button', { name: 'Fit' }).click()
  await shoot(page, 'tree')
  await page.keyboard.press('Alt+t')
  await page.keyboard.press('Alt+i')
  await page.locator('.timeline').waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await shoot(page, 'inspector-dark')
  await page.keyboard.press('Alt+i')
  await page.setViewportSize({ width: 390, height: 780 })
  await shoot(page, 'phone')
})
