import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { add, callsAdd, done, eventually, say } from './page.ts'

const app = testApp()
const tokens = 'ada:a-token:owner,bob:b-token:member,lead:l-token:member'

/** A server that three people use, with a page for each. The agent's time stands still. */
async function team(asking: Parameters<typeof approval>[0]) {
  const store = memoryStore()
  const clock = virtualClock(Date.now())
  const model = scriptedModel([callsAdd, 'Five.'])
  const agent = { model, store, clock, tools: [add], use: [approval(asking)] }
  await app.serve(agent, { token: undefined, tokens, store })
  const page = (token: string) => app.page({}, token)
  return { clock, ada: await page('a-token'), bob: await page('b-token'), lead: await page('l-token') }
}

test('a vote shows how it stands, those whom it names can take part, and the card says who allowed it', async () => {
  const { ada, bob, lead } = await team({ quorum: { needed: 2, of: ['bob', 'lead'] } })
  await say(ada, 'add')
  await ada.getByText('0 of 2 have said yes. One no is enough.').waitFor()
  await ada.getByText('Asked of bob, lead.').waitFor()
  const asked = bob.getByRole('region', { name: 'Asked of you' })
  await asked.getByText('The agent of ada asks you.').waitFor()
  await asked.getByRole('button', { name: 'Allow' }).click()
  await ada.getByText('1 of 2 have said yes: bob. One no is enough.').waitFor()
  await eventually(() => ada.locator('.banner').allTextContents()).toEqual([
    expect.stringContaining('bob has said yes. The vote goes on.'),
  ])
  await eventually(() => asked.count()).toBe(0)
  await lead.getByText('1 of 2 have said yes: bob. One no is enough.').waitFor()
  await lead.getByRole('button', { name: 'Allow' }).click()
  await ada.getByText('Five.').waitFor()
  for (const again of [false, true]) {
    if (again) await ada.reload()
    await ada.locator('.tool-by', { hasText: 'Allowed by bob, lead' }).waitFor()
  }
  expect(app.complaints).toEqual([])
})

test('who has said yes is not asked again: the page says that the others are waited for', async () => {
  const { ada, bob } = await team({ quorum: { needed: 2, of: ['ada', 'bob'] } })
  await say(ada, 'add')
  await ada.getByRole('button', { name: 'Allow' }).click()
  await ada.getByText('You have said yes. Asked of ada, bob. 1 of 2 have said yes: ada.').waitFor()
  await eventually(() => ada.getByRole('button', { name: 'Allow' }).count()).toBe(0)
  // Words in the box go to the turn: they are no answer any more.
  await eventually(() => ada.getByLabel('Message').getAttribute('placeholder')).toBe('Say something …')
  await bob.getByRole('region', { name: 'Asked of you' }).getByRole('button', { name: 'Allow' }).click()
  await ada.getByText('Five.').waitFor()
})

test('a question says when and to whom it goes on, and that person then answers it', async () => {
  const { clock, ada, bob, lead } = await team({ to: 'bob', escalate: [{ after: 600_000, to: 'lead' }] })
  await say(ada, 'add')
  await ada.getByText(/^If nobody answers by .*, lead is asked\.$/).waitFor()
  const asked = (page: typeof bob) => page.getByRole('region', { name: 'Asked of you' })
  await asked(bob).getByText('Asked of bob.').waitFor()
  await eventually(() => asked(lead).count()).toBe(0)
  await clock.advance(600_000)
  await asked(lead).getByText('Asked of lead.').waitFor()
  await eventually(() => asked(bob).count()).toBe(0)
  await asked(lead).getByLabel('Reason, if you deny').fill('Not today.')
  await asked(lead).getByRole('button', { name: 'Deny' }).click()
  await done(ada)
  await ada.locator('.tool[data-status="denied"] .tool-by', { hasText: 'Denied by lead' }).waitFor()
  await eventually(() => asked(lead).count()).toBe(0)
})

test('who is asked by name sees the whole question with its buttons, as wide as the chat', async () => {
  const { ada, bob } = await team({ to: 'bob' })
  await say(ada, 'add')
  await bob.setViewportSize({ width: 1280, height: 720 })
  const asked = bob.getByRole('region', { name: 'Asked of you' })
  await asked.getByRole('button', { name: 'Deny' }).waitFor()
  const seen = await asked.evaluate(one => ({
    isWhole: one.scrollHeight <= one.clientHeight,
    wider: one.clientWidth - (document.querySelector('.composer')?.clientWidth ?? 0),
  }))
  expect(seen.isWhole).toBe(true)
  expect(Math.abs(seen.wider)).toBeLessThanOrEqual(16)
})
