import type { Locator, Page } from 'playwright-core'
import { type Model, TurnbuckleError } from 'turnbuckle'
import { stepLimit } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { Models } from '../../server/src/index.ts'
import { checkAccessibility } from './check-accessibility.ts'
import { givenSettings } from './given-settings.ts'
import { testApp } from './open-app.ts'
import { add, done, eventually, replies, say } from './page.ts'
import { violations } from './violations.ts'

const app = testApp()

const choice = (...models: readonly Model[]): Models => ({
  list: async () => models.map(({ id }) => id),
  async find(name) {
    const found = models.find(({ id }) => id === name)
    if (found) return found
    throw new TurnbuckleError('model.unknown', `No model "${name}".`)
  },
})
const chip = (page: Page): Locator => page.getByRole('button', { name: /^Model: / })
type Box = Awaited<ReturnType<Locator['boundingBox']>>
const overlaps = (a: Box, b: Box): boolean =>
  a !== null && b !== null && a.y < b.y + b.height && b.y < a.y + a.height && a.x < b.x + b.width && b.x < a.x + a.width
const openSettings = async (page: Page, section: string) => {
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: section }).click()
  await page.getByRole('heading', { name: section, level: 2 }).waitFor()
}

test('the chip names the model, marks the offline one, and chooses another for this conversation alone', async () => {
  const offline = scriptedModel(['I am offline.'], { id: 'offline', repeat: true })
  const other = scriptedModel(['I am the other.'], { id: 'some/other', repeat: true })
  await app.serve({ model: offline, store: memoryStore() }, { models: choice(offline, other) })
  const page = await app.page()
  await eventually(() => chip(page).textContent()).toContain('a script, no AI')
  await chip(page).click()
  await page.getByRole('menuitemradio', { name: 'some/other' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('menuitemradio', { name: 'some/other' }).click()
  await eventually(() => chip(page).textContent()).toBe('other')
  await say(page, 'hello')
  await page.getByText('I am the other.').waitFor()
  await done(page)
  await page.reload()
  await eventually(() => chip(page).textContent()).toBe('other')
  await chip(page).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: /^Default/ }).waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await eventually(() => chip(page).textContent()).toContain('offline')
  await say(page, 'and now?')
  await page.getByText('I am offline.').waitFor()
  await eventually(() => replies(page).count()).toBe(2)
  await page.keyboard.press('Alt+n')
  await eventually(() => chip(page).textContent()).toContain('offline')
})

test('a conversation has instructions and parameters of its own, from the next turn on', async () => {
  const model = scriptedModel(['One.', 'Two.'])
  const page = await app.open({ model, instructions: 'Be kind.' })
  await say(page, 'first')
  await done(page)
  await chip(page).click()
  await page.getByRole('menuitem', { name: 'Instructions and parameters …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Instructions').fill('Be brief.')
  await dialog.getByLabel(/^Temperature/).fill('0.5')
  await checkAccessibility(page, 'own settings')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await say(page, 'second')
  await page.getByText('Two.').waitFor()
  expect(model.prompts.map(({ instructions, params }) => ({ instructions, params }))).toEqual([
    { instructions: 'Be kind.', params: {} },
    { instructions: 'Be kind.\n\nBe brief.', params: { temperature: 0.5 } },
  ])
})

test('a key is tested, kept and never shown; what the environment or the project sets is shown as fixed', async () => {
  const settings = givenSettings()
  await app.serve({ model: scriptedModel([], { id: 'offline' }) }, { settings })
  const page = await app.page()
  await page.getByRole('link', { name: 'open the settings' }).click()
  const anthropic = page.getByRole('form', { name: /^anthropic/ })
  await anthropic.getByLabel('Key').fill('sk-wrong')
  await anthropic.getByRole('button', { name: 'Test' }).click()
  await anthropic.getByText('answered 401: Wrong key.').waitFor()
  await anthropic.getByLabel('Key').fill('sk-right')
  await anthropic.getByRole('button', { name: 'Test' }).click()
  await anthropic.getByText('anthropic/x answers.').waitFor()
  await anthropic.getByRole('button', { name: 'Save' }).click()
  await anthropic.getByText('Set in your file.').first().waitFor()
  await eventually(() => anthropic.getByLabel('Key').inputValue()).toBe('')
  const openai = page.getByRole('form', { name: /^openai/ })
  await openai.getByText('Fixed by the environment: OPENAI_API_KEY').first().waitFor()
  await eventually(() => openai.getByLabel('Key').isEditable()).toBe(false)
  await page.getByLabel('Default model').fill('anthropic/x')
  await page.getByLabel('Default model').press('Enter')
  await eventually(() => settings.changes).toEqual([
    { env: { ANTHROPIC_API_KEY: 'sk-right' } },
    { model: 'anthropic/x' },
  ])
  await openSettings(page, 'Instructions and parameters')
  await page.getByText('Fixed by the project: turnbuckle.config.json:3').waitFor()
  await eventually(() => page.getByLabel(/^Temperature/).isEditable()).toBe(false)
  await page.getByLabel('Instructions', { exact: true }).fill('Be brief.')
  await page.getByLabel(/^Most tokens/).fill('500')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await eventually(() => settings.changes.at(-1)).toEqual({
    instructions: 'Be brief.',
    params: { maxOutputTokens: 500 },
  })
})

test('the default model that the command line sets is shown as fixed', async () => {
  const model = { value: 'offline', from: 'flag', place: '--model', fixed: true } as const
  await app.serve({ model: scriptedModel([], { id: 'offline' }) }, { settings: givenSettings({}, { model }) })
  const page = await app.page()
  await openSettings(page, 'Models and keys')
  await page.getByText('Fixed by the command line: --model').waitFor()
  expect(await page.getByLabel('Default model').isEditable()).toBe(false)
})

test('limits and the program’s tools are changed for the next start; what the project sets is fixed', async () => {
  const settings = givenSettings()
  await app.serve({ model: scriptedModel([]), tools: [add] }, { settings })
  const page = await app.page()
  await openSettings(page, 'Instructions and parameters')
  const limits = page.getByRole('form', { name: 'Limits' })
  await limits.getByLabel(/^Most steps/).fill('20')
  await limits.getByLabel(/^Seconds between/).fill('90')
  await limits.getByRole('button', { name: 'Save' }).click()
  await limits.getByText('Until the next start: 50').waitFor()
  await openSettings(page, 'Tools')
  const tools = page.getByRole('form', { name: 'Tools of the program' })
  await eventually(() => tools.getByLabel(/^Commands/).isEnabled()).toBe(false)
  await tools.getByLabel(/^Files/).selectOption('only read')
  await tools.getByRole('button', { name: 'Save' }).click()
  await eventually(() => settings.changes).toEqual([
    { maxSteps: 20, idleTimeoutMs: 90_000 },
    { tools: { files: 'read' } },
  ])
  expect(await violations(page)).toEqual([])
})

test('tools show schema and permission, MCP servers state and trust, middleware its options, a changed hook its diff', async () => {
  const settings = givenSettings()
  await app.serve({ model: scriptedModel([]), tools: [add], use: [stepLimit({ max: 20 })] }, { settings })
  const page = await app.page()
  await openSettings(page, 'Tools')
  await page.locator('summary').getByText('is asked about').click()
  await page.getByText('deny add(9)').waitFor()
  await eventually(() => page.locator('pre').textContent()).toContain('"required"')
  await openSettings(page, 'MCP servers')
  await eventually(() => page.locator('li.settings-item', { hasText: 'docs' }).textContent()).toMatch(
    /ready.*npx docs.*docs__find/,
  )
  await eventually(() => page.locator('li.settings-item', { hasText: 'far' }).textContent()).toContain('not trusted')
  // What an owner trusts is in the server's own row.
  await eventually(() => page.locator('.settings-list > li', { hasText: 'far' }).count()).toBe(1)
  await page.getByText('Trust far …').click()
  await page.getByRole('button', { name: 'Trust exactly this' }).click()
  await page.getByText('mcp:far is trusted.').waitFor()
  const [notice, headings] = [page.locator('.banner'), await page.getByRole('heading').all()]
  const overlapped = await Promise.all(
    headings.map(async heading => overlaps(await notice.boundingBox(), await heading.boundingBox())),
  )
  expect(overlapped).not.toContain(true)
  await page.getByText('Trust far …').waitFor({ state: 'detached' })
  await openSettings(page, 'Middleware and hooks')
  await eventually(() => page.locator('li.settings-item', { hasText: 'step-limit' }).textContent()).toMatch(
    /Ends a turn after so many steps\..*"max": 20/s,
  )
  await page.getByText('changed, waits for trust').click()
  await eventually(() => page.locator('.diff [data-kind="new"]').allTextContents()).toEqual(['const b = 3\n'])
  await page.getByRole('button', { name: 'Trust exactly this' }).click()
  await page.getByText('./no-secrets.ts is trusted.').waitFor()
  await page.getByText('changed, waits for trust').waitFor({ state: 'detached' })
})

test('an owner changes rules, MCP servers and middleware; what the project sets is shown as fixed', async () => {
  const settings = givenSettings()
  await app.serve({ model: scriptedModel([]), tools: [add], use: [stepLimit({ max: 20 })] }, { settings })
  const page = await app.page()
  const told = () => settings.changes.at(-1)
  await openSettings(page, 'Tools')
  await page.getByText('shell(rm *)').waitFor()
  await eventually(() => page.getByRole('button', { name: 'Remove the rule shell(rm *)' }).count()).toBe(0)
  await page.locator('summary').getByText('is asked about').click()
  await page.getByLabel('A call of it').selectOption('runs')
  await eventually(told).toEqual({ permissions: { allow: ['read_file', 'add'] } })
  await page.locator('summary').getByText('runs').waitFor()
  await page.getByLabel('Rule', { exact: true }).fill('add(9)')
  await page.getByLabel('List').selectOption('Never runs')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await eventually(told).toEqual({ permissions: { deny: ['add(9)'] } })
  await page.getByRole('button', { name: 'Remove the rule read_file' }).click()
  await eventually(told).toEqual({ permissions: { allow: ['add'] } })

  await openSettings(page, 'MCP servers')
  await page.locator('li.settings-item', { hasText: 'far' }).getByText('fixed by the project’s file').waitFor()
  await eventually(() => page.getByRole('button', { name: 'Change far' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Change docs' }).click()
  await page.getByText('Kept and never shown: DOCS_KEY.').waitFor()
  await page.getByLabel('Variables').fill('no pair')
  await page.getByRole('button', { name: 'Save and connect' }).click()
  await page.getByRole('alert').getByText('“no pair” is no NAME=value.').waitFor()
  await page.getByLabel('Variables').fill('TEAM=a')
  await page.getByRole('button', { name: 'Save and connect' }).click()
  await eventually(told).toEqual({ mcpServers: { docs: { command: 'npx', args: ['docs'], env: { TEAM: 'a' } } } })
  await page.getByRole('button', { name: 'Add a server' }).click()
  await page.getByLabel('Name', { exact: true }).fill('near')
  await page.getByLabel('Program').fill('near-server')
  await checkAccessibility(page, 'a new MCP server')
  await page.getByRole('button', { name: 'Save and connect' }).click()
  await page.getByText('runs: near-server').waitFor()
  await page.getByRole('button', { name: 'Remove near' }).click()
  await page.getByText('runs: near-server').waitFor({ state: 'detached' })

  await openSettings(page, 'Middleware and hooks')
  await page.getByRole('button', { name: 'Change step-limit' }).click()
  await page.getByLabel('Options').fill('{ "max": 5 }')
  await checkAccessibility(page, 'options of a middleware')
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(told).toEqual({ middleware: [{ use: 'step-limit', options: { max: 5 } }] })
  await page.getByRole('button', { name: 'Add middleware' }).click()
  await page.getByLabel('Middleware', { exact: true }).selectOption('todo')
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(told).toEqual({ middleware: [{ use: 'step-limit', options: { max: 5 } }, { use: 'todo' }] })
  await page.getByRole('button', { name: 'Remove step-limit' }).click()
  await eventually(told).toEqual({ middleware: [{ use: 'todo' }] })
})

test('a tool that the project asks about can be forbidden in the browser, and not allowed', async () => {
  const settings = givenSettings({ ask: ['add'] })
  await app.serve({ model: scriptedModel([]), tools: [add] }, { settings })
  const page = await app.page()
  await openSettings(page, 'Tools')
  await page.locator('summary').getByText('is asked about').click()
  await page.getByText('The project’s rules ask about it').waitFor()
  const options = page.getByLabel('A call of it').locator('option:not([disabled])')
  await eventually(() => options.allTextContents()).toEqual(['is asked about', 'never runs'])
  await page.getByLabel('A call of it').selectOption('never runs')
  await eventually(() => settings.changes.at(-1)).toEqual({ permissions: { deny: ['add'] } })
  await page.locator('summary').getByText('never runs').waitFor()
  await checkAccessibility(page, 'a permission that the project fixes')
})

test('a token is made, shown once, used and revoked; the audit list tells of it', async () => {
  const store = memoryStore()
  await app.serve({ model: scriptedModel([]), store }, { store, token: undefined, tokens: 'ann:a:owner' })
  const page = await app.page()
  await openSettings(page, 'People and tokens')
  await page.getByLabel('Name').fill('bob')
  await page.getByLabel('Role').selectOption('member')
  await page.getByRole('button', { name: 'Make a token' }).click()
  await page.getByRole('heading', { name: 'The link for bob, a member' }).waitFor()
  const link = (await page.locator('.new-token code').textContent()) ?? ''
  await page.getByRole('button', { name: 'Copy the link' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const bob = await (await app.browser.newContext()).newPage()
  await bob.goto(link)
  await bob.getByText('Connected').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await eventually(() => page.locator('body').textContent()).not.toContain(link)
  await page.getByRole('button', { name: 'Revoke the token of bob' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('row', { name: /bob/ }).waitFor({ state: 'detached' })
  await bob.getByText('That token is not valid here').waitFor()
  await openSettings(page, 'Audit')
  const rows = page.getByRole('row')
  await eventually(() => rows.nth(1).textContent()).toMatch(/annperson revokedbob/)
  await eventually(() => rows.nth(2).textContent()).toMatch(/annperson madebobmember/)
})

test.each([
  { token: 'b', sections: ['Tools', 'MCP servers', 'Middleware and hooks'], maySend: true },
  { token: 'e', sections: ['Middleware and hooks'], maySend: false },
])('the person of "$token" sees $sections, and no refusal', async ({ token, sections, maySend }) => {
  await app.serve(
    { model: scriptedModel([]), tools: [add], use: [stepLimit({ max: 20 })] },
    { token: undefined, tokens: 'ann:a:owner,bob:b:member,eve:e:viewer', settings: givenSettings() },
  )
  const page = await (await app.browser.newContext()).newPage()
  const refused: string[] = []
  page.on('response', response => response.status() >= 400 && refused.push(response.url()))
  await page.goto(`${app.server.url}/settings#token=${token}`)
  const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  await eventually(() => links.allTextContents()).toEqual(sections)
  for (const section of sections) {
    await links.filter({ hasText: section }).click()
    await page.locator('.settings-item').first().waitFor()
  }
  await eventually(() => page.getByText('runs: npx docs').count()).toBe(0)
  await page.getByRole('button', { name: 'Back to the chat' }).click()
  await page.locator('.composer').waitFor()
  await eventually(() => page.getByLabel('Message', { exact: true }).count()).toBe(maySend ? 1 : 0)
  await eventually(() => chip(page).count()).toBe(maySend ? 1 : 0)
  expect(refused).toEqual([])
})

test('a section has an address; the browser’s back leads to the conversation', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) })
  await say(page, 'hello')
  await done(page)
  const { pathname } = new URL(page.url())
  await openSettings(page, 'Tools')
  expect(new URL(page.url()).pathname).toBe('/settings/tools')
  await page.reload()
  await page.getByRole('heading', { name: 'Tools', level: 2 }).waitFor()
  await page.goBack()
  await page.goBack()
  await page.getByText('Hi.').waitFor()
  expect(new URL(page.url()).pathname).toBe(pathname)
})

test('no accessibility violations in the settings, wide and on a phone', async () => {
  await app.serve(
    { model: scriptedModel([]), tools: [add], use: [stepLimit({ max: 20 })] },
    { settings: givenSettings() },
  )
  const page = await app.page()
  for (const section of [
    'Models and keys',
    'Instructions and parameters',
    'Tools',
    'MCP servers',
    'Middleware and hooks',
    'People and tokens',
    'Audit',
  ]) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await openSettings(page, section)
    await page.getByText('Loading …').waitFor({ state: 'detached' })
    await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')
    await checkAccessibility(page, section)
    await page.setViewportSize({ width: 360, height: 760 })
    await checkAccessibility(page, `${section} on a phone`, ['light'])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow, section).toBe(0)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Back to the chat' }).click()
  await chip(page).click()
  await checkAccessibility(page, 'model menu')
})
