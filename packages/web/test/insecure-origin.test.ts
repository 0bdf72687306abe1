import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate } from '../../server/test/serve.ts'
import { testApp } from './open-app.ts'
import { box, done, eventually, replies, say } from './page.ts'

const app = testApp()

test('over plain HTTP under a name of the local network one can send, queue and copy', async () => {
  const held = gate()
  const model = scriptedModel(['Hello.\n\n```\ncode\n```', () => held.opened.then(() => 'Second.'), 'Third.'])
  const { port, token } = await app.serve({ model }, { hosts: ['turnbuckle.test'] })
  const context = await app.browser.newContext()
  const page = await context.newPage()
  await page.goto(`http://turnbuckle.test:${port}/#token=${token}`)
  expect(await page.evaluate(() => [isSecureContext, 'randomUUID' in crypto, 'clipboard' in navigator])).toEqual([
    false,
    false,
    false,
  ])
  await say(page, 'one')
  await done(page)
  for (const [label, copied] of [
    ['Copy', 'Hello.\n\n```\ncode\n```'],
    ['Copy the code', 'code'],
  ] as const) {
    await replies(page).getByRole('button', { name: label, exact: true }).click()
    await page.getByRole('button', { name: 'Copied' }).first().waitFor()
    await box(page).fill('')
    await box(page).press('Control+v')
    await eventually(() => box(page).inputValue()).toBe(copied)
  }
  await say(page, 'two')
  await box(page).fill('three')
  await box(page).press('Alt+Enter')
  await page.getByText('After this turn').waitFor()
  held.open()
  await page.getByText('Third.').waitFor()
})
