import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { ComposedAgent } from '../../compose/compose-agent.ts'
import { permissionMode } from '../../compose/permissions/permission-mode.ts'
import { ChatModes } from './chat-modes.ts'
import { ShownChat } from './shown-chat.ts'

function chat() {
  const ran: string[] = []
  const tools = [
    tool({ name: 'docs__search', readOnly: true, run: () => void ran.push('docs__search') }),
    tool({ name: 'docs__delete', run: () => void ran.push('docs__delete') }),
  ]
  const model = scriptedModel([{ calls: [{ name: 'docs__search' }, { name: 'docs__delete' }] }, 'Done.'])
  const agent = createAgent({ model, tools })
  const composed = { agent, model, mode: permissionMode('/project'), loaded: { root: '/project', user: {} } }
  const shown = new ShownChat(composed as unknown as ComposedAgent)
  return { agent, composed, shown, modes: new ChatModes(shown), ran }
}

test('Shift-Tab goes round, and each mode is said', () => {
  const { shown, modes, composed } = chat()
  const seen = Array.from({ length: 3 }, () => {
    modes.next()
    return `${shown.state.mode}: ${shown.state.hint.split('.')[0]}`
  })
  expect(seen).toEqual([
    'accept edits: Mode: accept edits',
    'plan: Mode: plan',
    'ask: Mode: ask before anything is changed',
  ])
  expect(composed.mode.current).toBe('ask')
})

test('plan mode lets a tool of an MCP server run that says it only reads, and no other', async () => {
  const { agent, modes, ran } = chat()
  modes.use('plan')
  await agent.send('Look around.')
  expect(ran).toEqual(['docs__search'])
})
