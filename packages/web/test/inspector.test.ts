import { middleware, stop } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate } from '../../server/test/serve.ts'
import { testApp } from './open-app.ts'
import { say } from './page.ts'

const app = testApp()

test('the inspector shows the live timeline, changes, decisions, and switches middleware', async () => {
  const held = gate()
  const shout = middleware({
    name: 'shout',
    beforeInput(ctx) {
      ctx.message = { ...ctx.message, content: [{ type: 'text', text: 'LOUD' }] }
    },
    afterDecide: ctx => (ctx.step === 0 ? stop('enough') : undefined),
  })
  const page = await app.open({ model: scriptedModel([() => held.opened.then(() => 'Hi.'), 'Ho.']), use: [shout] })
  await say(page, 'quiet')
  await page.keyboard.press('Alt+i')
  await page.getByText('beforeInput').waitFor()
  held.open()
  await page.getByText('Stopped by shout: enough').waitFor()
  await page.getByText('changed message').click()
  expect(await page.locator('.diff [data-kind="gone"]').allTextContents()).toContainEqual(
    expect.stringContaining('quiet'),
  )
  expect(await page.locator('.diff [data-kind="new"]').allTextContents()).toContainEqual(
    expect.stringContaining('LOUD'),
  )
  expect(await page.locator('.timeline > li > ol > li .span-name').first().textContent()).toBe('input')
  await page.getByRole('tab', { name: 'Who decided' }).click()
  await page.locator('.decisions li[data-won="true"]', { hasText: 'shout at afterDecide' }).waitFor()
  await page.getByRole('tab', { name: 'Middleware' }).click()
  expect(await page.locator('.middleware tr', { hasText: 'beforeInput' }).textContent()).toMatch(/beforeInput1\s*0/)
  await page.getByRole('switch', { name: 'shout is on' }).click()
  await page.getByRole('switch', { name: 'shout is off' }).waitFor()
  await say(page, 'and now')
  await page.getByText('Ho.').waitFor()
  expect(await page.locator('.turn-end').count()).toBe(0)
})
