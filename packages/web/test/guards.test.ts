import type { CreateAgentOptions } from 'turnbuckle'
import { tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { add, callsAdd, done, eventually, say } from './page.ts'
import { restartable } from './restartable-server.ts'

const app = testApp()

test('a guard that is off is off after a restart too; what is denied stays denied; the list keeps its order', async () => {
  const { start, stop } = restartable(app)
  const wipe = tool({ name: 'wipe', run: () => 'wiped' })
  const agent = (...answers: Parameters<typeof scriptedModel>[0]): CreateAgentOptions => ({
    model: scriptedModel(answers),
    tools: [add, wipe],
    use: [approval({ deny: ['wipe'] })],
  })
  await start(agent())
  for (const title of ['First', 'Second']) await app.server.newConversation(title)
  const page = await app.page()
  const titles = () => page.locator('.conversation-title').allTextContents()
  await eventually(async () => (await titles()).toSorted()).toEqual(['First', 'Second'])
  const order = await titles()
  await page.getByRole('link', { name: order[1] ?? '' }).click()
  await page.keyboard.press('Alt+i')
  await page.getByRole('tab', { name: 'Middleware' }).click()
  await page.getByRole('switch', { name: 'approval is on' }).click()
  await page.getByRole('button', { name: 'Off in this conversation' }).click()
  const strip = page.locator('.guard-strip').getByText('off in this conversation (me,')
  await strip.waitFor()
  await stop()
  await page.getByText('The server does not answer').waitFor()
  await start(agent({ calls: [...callsAdd.calls, { name: 'wipe', args: {} }] }, 'Done.'))
  await page.locator('.banner').waitFor({ state: 'detached' })
  await page.reload()
  await strip.waitFor()
  await eventually(titles).toEqual(order)
  await say(page, 'add, and wipe')
  await page.getByText('Done.').waitFor()
  await done(page)
  const statuses = page.locator('.tool').evaluateAll(cards => cards.map(card => card.getAttribute('data-status')))
  expect(await statuses).toEqual(['ok', 'blocked'])
})
