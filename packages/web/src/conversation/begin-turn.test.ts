import type { Client } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { conversation, givePage, runningTurnOf } from '../../test/conversation.ts'
import { type AppState, useAppState } from '../state/app-state.ts'
import { beginTurn } from './begin-turn.ts'

const client = { send: async () => ({ turnId: 't', seq: 1 }) } as unknown as Client

test.each<{ what: string; next: Partial<AppState> }>([
  { what: 'the page hears of it', next: { conversation: conversation({ turns: [runningTurnOf('t', null)] }) } },
  { what: 'another conversation is opened', next: { openId: 'd' } },
  { what: 'the connection is lost', next: { status: 'offline' } },
  { what: 'the conversation cannot be read', next: { problem: 'Gone.' } },
])('a turn has begun when $what', async ({ next }) => {
  givePage({ openId: 'c', conversation: conversation() })
  let begun = false
  const began = beginTurn(client, 'c', null, { text: 'hi' }).then(() => {
    begun = true
  })
  await Promise.resolve().then(() => {})
  useAppState.setState({ draft: { text: 'typed meanwhile', files: [], pastes: [] } })
  expect(begun).toBe(false)
  useAppState.setState(next)
  await began
})

test('a turn that the server refuses is thrown', async () => {
  givePage({ openId: 'c', conversation: conversation() })
  const refusing = { send: () => Promise.reject(new Error('no')) } as unknown as Client
  await expect(beginTurn(refusing, 'c', null, { text: 'hi' })).rejects.toThrow('no')
})
