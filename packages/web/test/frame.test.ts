import type { Locator } from 'playwright-core'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { givenSettings } from './given-settings.ts'
import { testApp } from './open-app.ts'
import { add, callsAdd, done, eventually, say } from './page.ts'

const app = testApp()

test.each([
  { width: 390, height: 600 },
  { width: 1280, height: 600 },
])(
  'at $width px the page itself never scrolls: the conversation, the inspector and the settings do',
  async viewport => {
    const long = `${'## A heading\n\nMany words that fill the line.\n\n'.repeat(30)}\`\`\`ts\nconst a = 1\n\`\`\``
    const tokens = 'ada:a-token:owner,bob:b-token:member,eve:e-token:viewer,ann:n-token:viewer'
    const settings = givenSettings()
    await app.serve({ model: scriptedModel([callsAdd, long]), tools: [add] }, { settings, token: undefined, tokens })
    const page = await app.page({ viewport }, 'a-token')
    const beyond = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
    await say(page, 'go')
    await done(page)
    await eventually(beyond).toBe(0)
    await page.keyboard.press('Alt+i')
    for (const tab of ['Timeline', 'Middleware']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel', { name: tab }).waitFor()
      await eventually(beyond).toBe(0)
    }
    await page.goto(`${app.server.url}/settings/people`)
    await page
      .getByRole('button', { name: /Revoke/ })
      .last()
      .waitFor()
    await eventually(beyond).toBe(0)
  },
)

test('the section of the settings that is shown stays in sight in its row when the page gets narrower', async () => {
  await app.serve({ model: scriptedModel([]) }, { settings: givenSettings() })
  const page = await app.page({ viewport: { width: 1280, height: 700 } })
  const [tab, row] = [page.locator('.settings-tab[aria-current]'), page.locator('.settings-nav')]
  // At 768 px the list stands beside it again, which was a drawer: the row gets wider, and then narrower.
  for (const section of ['audit', 'models']) {
    await page.setViewportSize({ width: 1280, height: 700 })
    await page.goto(`${app.server.url}/settings/${section}`)
    await tab.waitFor()
    for (const width of [768, 360, 768]) {
      await page.setViewportSize({ width, height: 700 })
      await eventually(async () => {
        const [one, all] = [await tab.boundingBox(), await row.boundingBox()]
        return one && all && one.x >= all.x && one.x + one.width <= all.x + all.width + 1
      }).toBe(true)
    }
  }
})

test('news of the connection lie under the strip of a guard that is off, not over it', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']), tools: [add], use: [approval()] })
  await say(page, 'hello')
  await done(page)
  await page.keyboard.press('Alt+i')
  await page.getByRole('tab', { name: 'Middleware' }).click()
  await page.getByRole('switch', { name: 'approval is on' }).click()
  await page.getByRole('button', { name: 'Off in this conversation' }).click()
  await page.locator('.guard-strip').waitFor()
  await page.keyboard.press('Alt+i')
  await page.context().setOffline(true)
  await page.evaluate('sockets.forEach(socket => socket.close())')
  const [strip, banner] = [page.locator('.guard-strip'), page.locator('.banner.warn')]
  await banner.waitFor()
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    const room = async () => {
      const [above, below] = [await strip.boundingBox(), await banner.boundingBox()]
      return above && below ? below.y - above.y - above.height : -1
    }
    await eventually(room).toBeGreaterThanOrEqual(0)
  }
})

test('news lie under the bar of the tree, and over none of its buttons', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) })
  await say(page, 'hello')
  await done(page)
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  await page.context().setOffline(true)
  await page.evaluate('sockets.forEach(socket => socket.close())')
  const [bar, banner] = [page.locator('.tree-bar'), page.locator('.banner.warn')]
  await banner.waitFor()
  for (const width of [1280, 900, 360]) {
    await page.setViewportSize({ width, height: 800 })
    const room = async () => {
      const [above, below] = [await bar.boundingBox(), await banner.boundingBox()]
      return above && below ? below.y - above.y - above.height : -1
    }
    await eventually(room).toBeGreaterThanOrEqual(0)
    await eventually(room).toBeLessThan(20)
  }
})

test('the frame of the view is inside the map of the tree, also where the view is larger', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) })
  await say(page, 'hello')
  await done(page)
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  const [map, frame] = [page.locator('.tree-minimap'), page.locator('.tree-minimap-view')]
  const isInside = async () => {
    const [outer, inner] = [await map.boundingBox(), await frame.boundingBox()]
    if (!outer || !inner) return undefined
    const isHigh = inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height
    return isHigh && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
  }
  await eventually(isInside).toBe(true)
  const before = await frame.boundingBox()
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await eventually(async () => (await frame.boundingBox())?.width).toBeGreaterThan(before?.width ?? 0)
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await eventually(isInside).toBe(true)
})

test('on a phone the card of a tool with a long name has its status inside, and a picked message moves no button of the tree', async () => {
  const name = 'docs__search_documentation_of_the_harbour'
  const model = scriptedModel([{ calls: [{ name, args: { a: 2, b: 3 } }] }, 'Five.', 'Six.'])
  const viewport = { width: 360, height: 740 }
  const page = await app.open({ model, tools: [{ ...add, name }] }, { viewport, hasTouch: true, isMobile: true })
  await say(page, 'add')
  await done(page)
  const right = async (place: Locator) => {
    const { x = 0, width = 1000 } = (await place.boundingBox()) ?? {}
    return x + width
  }
  expect(await right(page.locator('.tool-status'))).toBeLessThan(await right(page.locator('.tool')))
  await page.getByRole('button', { name: /Show the tree/ }).click()
  const fit = page.getByRole('button', { name: 'Fit' })
  const before = await fit.boundingBox()
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await page.getByText('Pick two messages').waitFor()
  expect((await fit.boundingBox())?.y).toBe(before?.y)
})
