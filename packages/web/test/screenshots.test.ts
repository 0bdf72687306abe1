import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { animatedPng, type Frame } from './animated-png.ts'
import { givenSettings } from './given-settings.ts'
import { testApp } from './open-app.ts'
import { done, type Stepped, steppedModel } from './page.ts'

/**
 * The pictures of the docs, which `npm run record:web` takes anew; else it is only seen that they can be. With a folder for it
 * (`npm run record:web -- FOLDER`) each view is taken at every width, by day and by night, for somebody to look at.
 */
const folder = join(import.meta.dirname, '../../../docs/images')
const keep = process.env.SCREENSHOTS === '1'
const everyWidth = process.env.SCREENSHOTS_FOLDER
const widths = [
  { width: 360, height: 760 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 3840, height: 2160 },
]

const app = testApp()

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
  { text: 'The last one leaves at **19:40** and arrives before midnight.', usage },
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
/** When letters have come and nothing moves any more. */
async function shoot(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate('document.fonts.ready')
  const picture = await page.screenshot({
    animations: 'disabled',
    ...(keep ? { path: join(folder, `${name}.png`) } : {}),
  })
  expect(picture.length).toBeGreaterThan(10_000)
  if (everyWidth) await shootAll(page, name, everyWidth)
}
async function shootAll(page: Page, name: string, into: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const size of widths)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const path = join(into, `${name}-${size.width}-${colorScheme}.png`)
      await page.screenshot({ path, animations: 'disabled', scale: 'css' })
    }
  await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

/** Two ways to the harbour, and a third that was thought better of. */
async function branches(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await page.getByLabel('Edit your message').fill('How would we get to St. Malo by train?')
  await page.keyboard.press('Enter')
  await page.getByText('By train it takes').waitFor()
  await done(page)
  await say(page, 'Is there a later one?')
  await page.getByText('The last one leaves').waitFor()
  await done(page)
  await page.getByRole('button', { name: 'Previous branch' }).click()
  await page.getByText('With the wind').waitFor()
}

async function shootTabs(page: Page): Promise<void> {
  for (const tab of ['Who decided', 'Middleware', 'Permissions']) {
    await page.getByRole('tab', { name: tab }).click()
    await shoot(page, `inspector-${tab.split(' ').at(-1)?.toLowerCase()}`)
  }
  await page.getByRole('tab', { name: 'Timeline' }).click()
}

/** A dialog, a menu, a long text of every kind, and the page for whoever has no token. */
async function shootOthers(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page
    .getByRole('button', { name: /^Actions for/ })
    .last()
    .click()
  await shoot(page, 'menu')
  await page.getByRole('menuitem', { name: /Share a link/ }).click()
  await page.getByRole('dialog').waitFor()
  await shoot(page, 'share')
  await page.keyboard.press('Escape')
  const stranger = await app.browser.newPage()
  await stranger.goto(app.server.url)
  await stranger.getByRole('heading').first().waitFor()
  await shoot(stranger, 'sign-in')
}

const sections = [
  'Models and keys',
  'Instructions and parameters',
  'Tools',
  'MCP servers',
  'Middleware and hooks',
  'People and tokens',
  'Audit',
]

test('pictures of the main views', { timeout: everyWidth ? 900_000 : 180_000 }, async () => {
  if (everyWidth) mkdirSync(everyWidth, { recursive: true })
  // Kept, as the program keeps it: a question waits without a deadline.
  const store = memoryStore()
  await app.serve(
    { model: scriptedModel(script), tools: [tide, book], use: [approval({ allow: ['tide_table'] })], store },
    { settings: givenSettings(), store },
  )
  const page = await app.page({ deviceScaleFactor: 2, reducedMotion: 'reduce' })
  if (everyWidth) await shoot(page, 'welcome')
  for (const title of ['Notes on splicing', 'Rigging the mainsail', 'Weather for the weekend'])
    await app.server.call('POST', '/api/conversations', { title })
  await say(page, 'Plan a weekend from Jersey to St. Malo')
  await page.getByText('With the wind').waitFor()
  await page.locator('[class^="hl-"]').first().waitFor()
  await shoot(page, 'chat')
  await branches(page)
  await say(page, 'Good. Book a berth for Saturday.')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await shoot(page, 'approval')
  await page.keyboard.press('Alt+i')
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.locator('.timeline [data-status="open"]', { hasText: 'beforeTool' }).first().waitFor()
  await shoot(page, 'inspector-dark')
  if (everyWidth) await shootTabs(page)
  await page.keyboard.press('Alt+i')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Fair winds!').waitFor()
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  await page.getByRole('button', { name: 'Fit' }).click()
  await shoot(page, 'tree')
  // The widths of the pictures have moved the tree.
  await page.getByRole('button', { name: 'Fit' }).click()
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await page.locator('.tree-node', { hasText: 'Fair winds!' }).click()
  await page.locator('.tree-node', { hasText: 'The last one leaves' }).click()
  await page.getByLabel('First branch').waitFor()
  await shoot(page, 'compare')
  await page.keyboard.press('Alt+t')
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  for (const section of everyWidth ? sections : ['Tools']) {
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: section }).click()
    await page.getByRole('heading', { name: section, level: 2 }).waitFor()
    await page.getByText('Loading …').waitFor({ state: 'detached' })
    await shoot(page, section === 'Tools' ? 'settings' : `settings-${section.split(' ')[0]?.toLowerCase()}`)
  }
  await page.getByRole('button', { name: 'Back to the chat' }).click()
  await page.setViewportSize({ width: 390, height: 780 })
  await page.getByText('Fair winds!').waitFor()
  await shoot(page, 'phone')
  if (everyWidth) await shootOthers(page)
})

/** Plays a chat, picture by picture: a reply that streams, a question, its answer, and the tree. */
async function play(page: Page, { say: speak, end }: Stepped, frame: (ms: number) => Promise<void>): Promise<void> {
  const streams = async (text: string) => {
    const words = text.match(/(?:\S+\s*){1,6}/g) ?? []
    for (const piece of words) {
      speak(piece)
      await page
        .getByText(piece.trim().replace(/[*_`]/g, '').split('\n')[0] ?? '')
        .last()
        .waitFor()
      await frame(140)
    }
  }
  await frame(900)
  await page.getByLabel('Message', { exact: true }).fill('Plan a day trip to Chausey, and book a berth')
  await frame(700)
  await page.keyboard.press('Enter')
  await page.getByText('Working …').waitFor()
  await frame(300)
  await streams('I will look at the tides first. ')
  speak({ type: 'call', id: 'c1', name: 'tide_table', args: { harbour: 'Chausey', day: 'Saturday' } })
  end()
  await page.locator('.tool[data-status="ok"]').waitFor()
  await frame(600)
  await streams('High water is at 05:41 and 18:04. Leave at eight with the ebb, and be back for supper. ')
  speak({ type: 'call', id: 'c2', name: 'book_berth', args: { harbour: 'Chausey', nights: 1 } })
  end()
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await frame(1600)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.locator('.tool[data-status="ok"]').nth(1).waitFor()
  await streams('Berth 14 is yours. Fair winds!')
  end()
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await frame(1200)
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  await page.getByRole('button', { name: 'Fit' }).click()
  await frame(1800)
}

test('a recording of a chat', async () => {
  const stepped = steppedModel()
  const use = [approval({ allow: ['tide_table'] })]
  const store = memoryStore()
  await app.serve({ model: stepped.model, tools: [tide, book], use, store }, { store })
  const page = await app.page({ viewport: { width: 960, height: 600 }, reducedMotion: 'reduce' })
  const frames: Frame[] = []
  await play(page, stepped, async ms => {
    // One is enough to see that it can be recorded.
    if (keep || !frames.length) frames.push({ png: await page.screenshot({ animations: 'disabled' }), ms })
  })
  const recording = animatedPng(frames)
  expect(recording.includes('acTL')).toBe(true)
  if (keep) writeFileSync(join(folder, 'recording.png'), recording)
})
