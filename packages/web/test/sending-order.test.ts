import type { Page } from 'playwright-core'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { done, eventually, holdTurns, say } from './page.ts'

const app = testApp()

/** A page with one answer, and a second message that is on its way until the test lets it through. */
async function pageWithMessageOnItsWay(): Promise<{ readonly page: Page; arrive(): void }> {
  const page = await app.open({ model: scriptedModel(['Sure.'], { repeat: true }) })
  await say(page, 'one')
  await page.getByText('Sure.').waitFor()
  await done(page)
  const { asked, arrive } = await holdTurns(page)
  await say(page, 'two')
  await asked
  return { page, arrive }
}

/** The messages that the server has, a person's with their words. */
async function keptMessages(page: Page): Promise<readonly string[]> {
  const { body } = await app.server.call('GET', `/api/conversations/${new URL(page.url()).pathname.split('/').pop()}`)
  const nodes = body.nodes as { message: { role: string; content: { text: string }[] } }[]
  return nodes.map(({ message }) => (message.role === 'user' ? (message.content[0]?.text ?? '') : message.role)).sort()
}

test('an edit that is sent while a message is on its way waits for it, and is sent once', async () => {
  const { page, arrive } = await pageWithMessageOnItsWay()
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  const edit = page.getByLabel('Edit your message')
  await edit.fill('one, but better')
  await edit.press('Enter')
  await edit.press('Enter')
  await page.getByRole('button', { name: 'Sending …' }).waitFor()
  await eventually(() => edit.inputValue()).toBe('one, but better')
  arrive()
  await eventually(() => page.locator('.said').allTextContents()).toEqual(['one, but better'])
  await page.getByText('Sure.').waitFor()
  await done(page)
  await eventually(() => keptMessages(page)).toEqual([
    'assistant',
    'assistant',
    'assistant',
    'one',
    'one, but better',
    'two',
  ])
})

test('“Try again” that is pressed while a message is on its way waits for it; pressed twice it is one answer', async () => {
  const { page, arrive } = await pageWithMessageOnItsWay()
  const again = page.getByRole('button', { name: 'Try again, as a new branch' })
  await again.click()
  await again.click()
  arrive()
  await page.locator('.message.assistant .branches').waitFor()
  await done(page)
  await eventually(() => keptMessages(page)).toEqual(['assistant', 'assistant', 'assistant', 'one', 'two'])
})

test('an idea of the first screen that is pressed twice begins one conversation', async () => {
  const page = await app.open({ model: scriptedModel(['Sure.'], { repeat: true }) })
  await page.locator('.idea').first().dblclick()
  await page.getByText('Sure.').waitFor()
  await done(page)
  expect((await app.server.call('GET', '/api/conversations')).body.conversations).toHaveLength(1)
})
