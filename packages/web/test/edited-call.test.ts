import type { Page } from 'playwright-core'
import { tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { box, eventually, say } from './page.ts'

const app = testApp()

/** A page whose agent asks whether it may run `rm -rf build`, and what has run. */
async function askedForShell(): Promise<{ readonly page: Page; readonly ran: unknown[] }> {
  const ran: unknown[] = []
  const shell = tool({
    name: 'shell',
    run: (args: unknown) => {
      ran.push(args)
      return 'ok'
    },
  })
  const calls = [{ name: 'shell', args: { command: 'rm -rf build', cwd: '/srv' } }]
  const page = await app.open({ model: scriptedModel([{ calls }, 'Done.']), tools: [shell], use: [approval()] })
  await say(page, 'clean up')
  return { page, ran }
}

const button = (page: Page, name: string) => page.locator('.request').getByRole('button', { name })

/** Label or text of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? '')

test('who edits a command types into it at once; the focus stays in the form, where no key answers', async () => {
  const { page, ran } = await askedForShell()
  await button(page, 'Edit the command').press('Enter')
  await page.keyboard.type('a')
  await eventually(() => page.getByLabel('Command').inputValue()).toBe('rm -rf builda')
  await button(page, 'Edit all arguments as JSON').press('Enter')
  await eventually(() => focused(page)).toBe('Arguments, as JSON')
  await button(page, 'Leave them as they were').press('Enter')
  await eventually(() => focused(page)).toBe('Edit the command')
  expect([await box(page).inputValue(), ran]).toEqual(['', []])
  expect(app.complaints).toEqual([])
})

test('while a command is edited, A in the composer allows nothing, alone or with Enter, and its hint says so', async () => {
  const { page, ran } = await askedForShell()
  await page.getByText('A allows once · D denies').waitFor()
  await button(page, 'Edit the command').press('Enter')
  await page.getByLabel('Command').fill('echo harmless')
  await page.clock.install()
  await box(page).press('a')
  await page.clock.runFor(2000)
  expect([await box(page).inputValue(), ran]).toEqual(['a', []])
  await page.getByText('Your edit is answered in its form').waitFor()
  await box(page).press('Enter')
  await page.getByText('You are editing a call: Allow or Deny it in its form.').waitFor()
  expect([await box(page).inputValue(), ran]).toEqual(['a', []])
  await button(page, 'Allow').click()
  await page.getByText('Done.').waitFor()
  expect(ran).toEqual([{ command: 'echo harmless', cwd: '/srv' }])
})

test('once an edit was left, A in the composer allows the call as it was asked', async () => {
  const { page, ran } = await askedForShell()
  await button(page, 'Edit the command').press('Enter')
  await button(page, 'Leave them as they were').press('Enter')
  await page.getByText('A allows once · D denies').waitFor()
  await box(page).press('a')
  await page.getByText('Done.').waitFor()
  expect(ran).toEqual([{ command: 'rm -rf build', cwd: '/srv' }])
})

test('a command that was edited is in the JSON of all arguments', async () => {
  const { page } = await askedForShell()
  await button(page, 'Edit the command').click()
  await page.getByLabel('Command').fill('ls build')
  await button(page, 'Edit all arguments as JSON').click()
  const json = await page.getByLabel('Arguments, as JSON').inputValue()
  expect(JSON.parse(json)).toEqual({ command: 'ls build', cwd: '/srv' })
})
