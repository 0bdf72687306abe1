import { middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate } from '../../server/test/serve.ts'
import { testApp } from './open-app.ts'
import { done, eventually, say } from './page.ts'
import { restartable } from './restartable-server.ts'

const app = testApp()

const schema = {
  properties: {
    boat: { type: 'string', title: 'Boat', minLength: 3, description: 'As it is painted on the stern.' },
    sails: { type: 'array', title: 'Sails', items: { enum: ['main', 'jib', 'spinnaker'] }, minItems: 1 },
    ports: { type: 'array', title: 'Ports', items: { type: 'string', title: 'Port' } },
    crew: {
      type: 'array',
      title: 'Crew',
      minItems: 1,
      items: {
        type: 'object',
        title: 'Sailor',
        properties: { name: { type: 'string', title: 'Name' }, age: { type: 'integer', title: 'Age', minimum: 12 } },
        required: ['name', 'age'],
      },
    },
    skipper: {
      type: 'object',
      title: 'Skipper',
      properties: { name: { type: 'string', title: 'Called' }, licence: { type: 'boolean', title: 'With a licence' } },
      required: ['name'],
    },
    notes: { type: 'object', title: 'Notes' },
  },
  required: ['boat', 'sails', 'crew', 'skipper'],
}

test('lists, several choices and groups are fields; what is wrong is said where it is', async () => {
  const heard: unknown[] = []
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      heard.push(await ctx.ask('voyage', { question: 'Who sails where?', schema }))
    },
  })
  const page = await app.open({ model: scriptedModel(['Off we go.']), use: [asks] })
  const answer = page.getByRole('button', { name: 'Answer' })
  await say(page, 'sail')
  await page.getByRole('heading', { name: 'Who sails where?' }).waitFor()
  await page.getByText('As it is painted on the stern.').waitFor()
  await page.getByLabel('Boat').fill('Io')
  await answer.click()
  await page.getByText('At least 3 characters.').waitFor()
  await eventually(() => page.getByRole('alert').textContent()).toBe('5 answers are not right yet.')
  await eventually(() => page.getByLabel('Boat').evaluate(element => element === document.activeElement)).toBe(true)
  await eventually(() => page.getByLabel('Boat').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Boat').fill('Iolaire')
  const sails = page.getByRole('group', { name: 'Sails' })
  await eventually(() => sails.textContent()).toContain('At least one is needed.')
  await sails.getByLabel('jib').check()
  await sails.getByLabel('main').check()
  const ports = page.getByRole('group', { name: 'Ports' })
  for (const [i, port] of ['Oban', 'Tobermory', 'Mallaig'].entries()) {
    await ports.getByRole('button', { name: /^Add/ }).click()
    await ports.getByRole('textbox', { name: `Port ${i + 1}` }).fill(port)
  }
  await ports.getByRole('button', { name: 'Remove Port 2' }).click()
  const sailor = page.getByRole('group', { name: 'Sailor 1' })
  await sailor.getByLabel('Name').fill('Ada')
  await sailor.getByLabel('Age').fill('6')
  await page.getByRole('group', { name: 'Skipper' }).getByLabel('Called').fill('Grace')
  await page.getByLabel('With a licence').check()
  await answer.click()
  await page.getByText('At least 12.').waitFor()
  await eventually(() => page.getByRole('alert').textContent()).toBe('One answer is not right yet.')
  await sailor.getByLabel('Age').fill('36')
  await page.getByLabel('Notes').fill('{"tide": "ebb"}')
  await answer.click()
  await page.getByText('Off we go.').waitFor()
  expect(heard).toEqual([
    {
      boat: 'Iolaire',
      sails: ['main', 'jib'],
      ports: ['Oban', 'Mallaig'],
      crew: [{ name: 'Ada', age: 36 }],
      skipper: { name: 'Grace', licence: true },
      notes: { tide: 'ebb' },
    },
  ])
  expect(app.complaints).toEqual([])
})

test('where choices are offered, one may answer in other words', async () => {
  const heard: unknown[] = []
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      heard.push(await ctx.ask('clarification', { question: 'By day?', options: ['yes', 'no'] }))
    },
  })
  const page = await app.open({ model: scriptedModel(['Off we go.']), use: [asks] })
  await say(page, 'sail')
  await page.getByLabel('Choose').selectOption('Something else …')
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.getByText('This is needed.').waitFor()
  await page.getByLabel('Your answer').fill('at dusk')
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.getByText('Off we go.').waitFor()
  expect(heard).toEqual([{ text: 'at dusk' }])
})

test.each([
  {
    choice: 'It happened',
    found: 'paid, receipt 7',
    status: 'unknown',
    shows: 'paid, receipt 7',
    runs: 1,
    ends: 'Noted.',
  },
  { choice: 'It did not happen', found: '', status: 'ok', shows: 'paid twice?', runs: 2, ends: 'Noted.' },
  {
    choice: 'I do not know',
    found: '',
    status: 'unknown',
    shows: 'Nobody knows',
    runs: 1,
    ends: 'nobody knows whether pay happened',
  },
])(
  'after a crash in a call a person says what became of it: $choice',
  async ({ choice, found, status, shows, runs, ends }) => {
    let ran = 0
    const [started, never] = [gate(), gate<string>()]
    const pay = tool({
      name: 'pay',
      run() {
        started.open()
        return ++ran === 1 ? never.opened : 'paid twice?'
      },
    })
    const { start, stop } = restartable(app)
    await start({ model: scriptedModel([{ calls: [{ name: 'pay', args: { amount: 7 } }] }]), tools: [pay] })
    const page = await app.page()
    const card = page.locator('.tool')
    await say(page, 'pay')
    await started.opened
    await eventually(() => card.getAttribute('data-status')).toBe('executing')
    await stop()
    await page.getByText('The server does not answer').waitFor()
    await start({ model: scriptedModel(['Noted.']), tools: [pay] })
    await page.getByRole('heading', { name: 'Did pay happen?' }).waitFor()
    await eventually(() => card.getAttribute('data-status')).toBe('unknown')
    await eventually(() => card.locator('summary').textContent()).toContain(
      'It may have happened before the server ended',
    )
    await page.reload()
    await page.getByRole('heading', { name: 'Did pay happen?' }).waitFor()
    await eventually(() => card.getAttribute('data-status')).toBe('unknown')
    await page.getByLabel('What came of it, if you know').fill(found)
    await page.getByRole('button', { name: choice }).click()
    await page.getByText(ends).waitFor()
    await done(page)
    await eventually(() => card.getAttribute('data-status')).toBe(status)
    await card.locator('summary').click()
    await eventually(() => card.locator('.tool-body').textContent()).toContain(shows)
    expect(ran).toBe(runs)
  },
)
