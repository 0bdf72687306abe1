import type { Client } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { givePage } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { changeOwnSettings, giveNewSettings } from './change-own-settings.ts'

test('on the blank page the settings wait for the conversation that is made next', async () => {
  const told: unknown[] = []
  const client: Partial<Client> = { changeConversation: async (...given) => told.push(given) as never }
  givePage({}, client)
  await changeOwnSettings({ model: 'a/b', params: { temperature: 0 } })
  await changeOwnSettings({ instructions: 'Be brief.', params: { temperature: null } })
  await giveNewSettings(client as Client, 'c')
  expect(told).toEqual([['c', { model: 'a/b', instructions: 'Be brief.' }]])
  expect(useAppState.getState().newSettings).toEqual({})
  await giveNewSettings(client as Client, 'd')
  expect(told).toHaveLength(1)
})

test('those of an open conversation are the server’s', async () => {
  const told: unknown[] = []
  givePage({ openId: 'c' }, { changeConversation: async (...given) => told.push(given) as never })
  expect(await changeOwnSettings({ model: null })).toBe(true)
  expect(told).toEqual([['c', { model: null }]])
})
