import type { Locator, Page } from 'playwright-core'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { add, box, callsAdd, done, eventually, say } from './page.ts'
import { type Colour, contrast, painted } from './painted.ts'

const app = testApp()

/** The colours of an element and of two pixels around it. */
async function coloursOf(page: Page, element: Locator): Promise<Colour[]> {
  await element.scrollIntoViewIfNeeded()
  const { x = 0, y = 0, width = 0, height = 0 } = (await element.boundingBox()) ?? {}
  return painted(page, { x: x - 2, y: y - 2, width: width + 4, height: height + 4 })
}

test.each(['light', 'dark'] as const)(
  'by %s a radio stands out, chosen or not, and one sees which is',
  async scheme => {
    const model = scriptedModel([callsAdd, 'Five.'])
    const page = await app.open({ model, tools: [add], use: [approval()] }, { colorScheme: scheme })
    await say(page, 'add')
    await page.getByRole('radio', { name: 'In this conversation' }).check()
    await box(page).focus()
    const radios = await page.getByRole('radio').all()
    expect(radios.length).toBeGreaterThan(1)
    for (const radio of radios) {
      const colours = await coloursOf(page, radio)
      const [ground] = colours as [Colour]
      expect(Math.max(...colours.map(colour => contrast(colour, ground)))).toBeGreaterThan(3)
    }
    const chosen = await coloursOf(page, page.getByRole('radio', { checked: true }))
    const other = await coloursOf(page, page.getByRole('radio', { checked: false }).first())
    const inked = (colours: readonly Colour[]) => colours.filter(one => contrast(one, colours[0] as Colour) > 3).length
    expect(inked(chosen)).toBeGreaterThan(1.5 * inked(other))
  },
)

const wide = `| ${'a wide column | '.repeat(12)}\n|${'---|'.repeat(12)}\n|${' words | '.repeat(12)}\n\n\`\`\`\n${'wide '.repeat(60)}\n\`\`\``

test.each(['light', 'dark'] as const)(
  'by %s what goes on beyond an edge has a shadow there, which its end has not',
  async scheme => {
    const touch = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: scheme }
    const page = await app.open({ model: scriptedModel([wide]) }, touch)
    await say(page, 'go')
    await done(page)
    for (const scrolled of [page.locator('.table-scroll'), page.locator('.code pre')]) {
      await scrolled.scrollIntoViewIfNeeded()
      const shaded = async () => {
        const { x = 0, y = 0, width = 0, height = 0 } = (await scrolled.boundingBox()) ?? {}
        // A line below the letters: at its edges, and where none reaches.
        const line = await painted(page, { x, y: y + height - 4, width, height: 1 })
        const ground = line[Math.round(width / 2)] as Colour
        return [line[3], line.at(-4)].map(edge => contrast(edge as Colour, ground) > 1.15)
      }
      await eventually(shaded).toEqual([false, true])
      await scrolled.evaluate(element => element.scrollTo({ left: 80, behavior: 'instant' }))
      await eventually(shaded).toEqual([true, true])
      await scrolled.evaluate(element => element.scrollTo({ left: element.scrollWidth, behavior: 'instant' }))
      await eventually(shaded).toEqual([true, false])
    }
  },
)
