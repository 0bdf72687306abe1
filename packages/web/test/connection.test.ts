import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate } from '../../server/test/serve.ts'
import { testApp } from './open-app.ts'
import { add, box, callsAdd, done, eventually, replies, say, steppedModel } from './page.ts'
import { restartable } from './restartable-server.ts'

const app = testApp()

test('reload and a lost connection in the middle of a turn lose and repeat nothing', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await app.open({ model })
  await say(page, 'talk')
  speak('alpha ')
  await page.getByText('alpha').waitFor()
  await page.reload()
  await page.getByText('alpha').waitFor()
  speak('beta ')
  await page.getByText('alpha beta').waitFor()
  await page.context().setOffline(true)
  await page.evaluate('sockets.forEach(socket => socket.close())')
  await page.getByText('The server does not answer').waitFor()
  speak('gamma ')
  await page.context().setOffline(false)
  await page.getByText('alpha beta gamma').waitFor()
  speak('delta')
  end()
  await page.getByText('alpha beta gamma delta', { exact: true }).waitFor()
  await done(page)
  await eventually(() => replies(page).count()).toBe(1)
  await eventually(() => page.locator('.banner').count()).toBe(0)
})

test('two browsers see the same turn word by word', async () => {
  const { model, say: speak, end } = steppedModel()
  const first = await app.open({ model })
  await say(first, 'talk')
  speak('together ')
  await first.getByText('together').waitFor()
  const second = await app.page()
  await second.locator('.conversation').click()
  speak('again')
  for (const page of [first, second]) await page.getByText('together again').waitFor()
  end()
  for (const page of [first, second]) await done(page)
})

test('a conversation that is deleted goes in every browser, with a word about it', async () => {
  const first = await app.open({ model: scriptedModel(['Hello.']) })
  await say(first, 'hi')
  await first.getByText('Hello.').waitFor()
  const second = await app.page()
  await second.locator('.conversation').click()
  await second.getByText('Hello.').waitFor()
  await first.getByRole('button', { name: /Actions for/ }).click()
  await first.getByRole('menuitem', { name: 'Delete' }).click()
  await first.getByRole('button', { name: 'Delete', exact: true }).click()
  for (const page of [first, second]) {
    await page.getByText('This conversation was deleted.').waitFor()
    await page.getByText('What shall we turn to?').waitFor()
  }
})

test('a wrong token leads to a page that says what to do, and a right one in', async () => {
  await app.serve({ model: scriptedModel([]) })
  const page = await (await app.browser.newContext()).newPage()
  await page.goto(`${app.server.url}/#token=wrong`)
  await page.getByText('That token is not valid here').waitFor()
  await page.getByLabel('Address or token').fill(app.server.token)
  await page.keyboard.press('Enter')
  await box(page).waitFor()
  await page.goto(`${app.server.url}/c/none`)
  await page.getByText('This conversation cannot be shown').waitFor()
  await page.getByRole('button', { name: 'Begin a new one' }).click()
  await page.getByText('What shall we turn to?').waitFor()
})

test('the address of a server with another token leads in, also where the tab shows that it was refused', async () => {
  await app.serve({ model: scriptedModel([]) })
  const page = await (await app.browser.newContext()).newPage()
  await page.goto(`${app.server.url}/#token=of-the-server-before`)
  await page.getByText('That token is not valid here').waitFor()
  await page.goto(`${app.server.url}/#token=${app.server.token}`)
  await box(page).waitFor()
  expect(page.url()).not.toContain('token')
  await page.reload()
  await box(page).waitFor()
})

test('a server that restarts while a question waits: the page says so, comes back, and nothing is lost or doubled', async () => {
  const { start, stop } = restartable(app)
  const rest = { tools: [add], use: [approval()] }
  await start({ model: scriptedModel(['Hello.', callsAdd]), ...rest })
  const page = await app.page()
  await say(page, 'hi')
  await page.getByText('Hello.').waitFor()
  await done(page)
  await say(page, 'add')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await stop()
  await page.getByText('The server does not answer').waitFor()
  await eventually(() => page.locator('.connection').textContent()).toContain('Offline')
  await box(page).fill('said while it was away')
  await start({ model: scriptedModel(['Five.', 'I am back.']), ...rest })
  await page.locator('.banner').waitFor({ state: 'detached' })
  await eventually(() => page.locator('.request').count()).toBe(1)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Five.').waitFor()
  await done(page)
  await eventually(() => box(page).inputValue()).toBe('said while it was away')
  await box(page).press('Enter')
  await page.getByText('I am back.').waitFor()
  const seen = async () => [
    await page.locator('.said').allTextContents(),
    await replies(page).locator('.prose').allTextContents(),
    await page.locator('.tool').count(),
  ]
  const all = await seen()
  expect(all).toEqual([['hi', 'add', 'said while it was away'], ['Hello.', 'Let me see.', 'Five.', 'I am back.'], 1])
  await page.reload()
  await page.getByText('I am back.').waitFor()
  await eventually(() => seen()).toEqual(all)
  await eventually(() => page.locator('.conversation').count()).toBe(1)
})

test('a server that restarts while a reply streams: it is written anew, once', async () => {
  const { start, stop } = restartable(app)
  const { model, say: speak } = steppedModel()
  await start({ model })
  const page = await app.page()
  await say(page, 'talk')
  speak('half a ')
  await page.getByText('half a').waitFor()
  await stop()
  await page.getByText('The server does not answer').waitFor()
  await start({ model: scriptedModel(['half a loaf is better than none']) })
  await page.getByText('half a loaf is better than none', { exact: true }).waitFor()
  await done(page)
  await eventually(() => replies(page).count()).toBe(1)
  await eventually(() => page.locator('.said').allTextContents()).toEqual(['talk'])
  await eventually(() => page.locator('.turn-end').count()).toBe(0)
})

test('what is sent while the server is away is not lost: the words stay in the box', async () => {
  const page = await app.open({ model: scriptedModel(['Here.']) })
  await page.context().setOffline(true)
  await say(page, 'anybody there?')
  await page.getByText('The server does not answer.', { exact: true }).waitFor()
  // That is said of any call: a press counts again once this message has come back.
  await done(page)
  await eventually(() => box(page).inputValue()).toBe('anybody there?')
  await page.context().setOffline(false)
  await eventually(() =>
    page.evaluate(() =>
      fetch('/').then(
        ({ ok }) => ok,
        () => false,
      ),
    ),
  ).toBe(true)
  await box(page).press('Enter')
  await page.getByText('Here.').waitFor()
  await eventually(() => page.locator('.said').allTextContents()).toEqual(['anybody there?'])
})

test('what cannot be sent without a connection is said in one line, and stays in the box', async () => {
  const page = await app.open({ model: scriptedModel([]) })
  await page.context().setOffline(true)
  await page.evaluate('sockets.forEach(socket => socket.close())')
  const lines = page.locator('.banner')
  await eventually(() => lines.allTextContents()).toEqual([expect.stringMatching(/^The server does not answer\./)])
  await eventually(() => page.getByRole('alert').count()).toBe(0)
  await say(page, 'anybody there?')
  await page.getByRole('alert').waitFor()
  expect(await lines.allTextContents()).toEqual([expect.stringContaining('Running turns go on there')])
  await done(page)
  await eventually(() => box(page).inputValue()).toBe('anybody there?')
})

test('a list that fails while the socket opens is read again once it is open', async () => {
  await app.serve({ model: scriptedModel([]) })
  await app.server.newConversation('Kept')
  const page = await (await app.browser.newContext()).newPage()
  const held = gate()
  await page.routeWebSocket(/socket/, async socket => {
    await held.opened
    socket.connectToServer()
  })
  await page.route('**/api/conversations?limit=1000', route => route.abort(), { times: 1 })
  await page.goto(`${app.server.url}/#token=${app.server.token}`)
  await page.getByText('The list could not be loaded.').waitFor()
  held.open()
  await page.getByRole('link', { name: 'Kept' }).waitFor()
})

test('a list that fails though there is a connection says so, and is read on request', async () => {
  await app.serve({ model: scriptedModel(['Hi.']) })
  await app.server.newConversation('Kept')
  const page = await (await app.browser.newContext()).newPage()
  await page.route('**/api/conversations?limit=1000', route => route.abort())
  await page.goto(`${app.server.url}/#token=${app.server.token}`)
  await page.locator('.connection[data-status="open"]').waitFor()
  await page.getByText('The list could not be loaded.').waitFor()
  await page.unroute('**/api/conversations?limit=1000')
  await page.getByRole('navigation').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Kept' }).waitFor()
})

test('a part of the page that cannot be fetched says what to do; the rest stays', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) })
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  await page.context().setOffline(true)
  await page.keyboard.press('Alt+t')
  await page.getByRole('heading', { name: 'The tree cannot be shown' }).waitFor()
  await eventually(() => page.locator('.conversation').count()).toBe(1)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Load the page again' }).click()
  await page.getByText('Hi.').waitFor()
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
})
