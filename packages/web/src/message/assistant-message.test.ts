import type { Part } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { reply } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { AssistantMessage, type AssistantProps } from './assistant-message.tsx'

const shown = (content: readonly Part[], more: Partial<AssistantProps> = {}) =>
  draw(AssistantMessage, {
    node: reply('m', null, content),
    results: new Map(),
    calls: new Map(),
    agents: new Map(),
    siblings: 1,
    goesOn: false,
    live: false,
    ...more,
  })
const text: Part = { type: 'text', text: 'Hello.' }

test('a recorded reply can be copied and tried again; one that is being written cannot yet', () => {
  expect(shown([text])).toMatch(/Hello\..*aria-label="Copy".*Try again, as a new branch/s)
  const live = shown([text], { live: true })
  expect(live).toContain('aria-label="The assistant is writing" aria-busy="true"')
  expect(live).not.toContain('Try again')
})

test('a reply that was cut says so, and a sub-agent’s says whose it is', () => {
  const node = reply('m', null, [text])
  const message = { ...node.message, interrupted: true, by: 'scout' }
  expect(shown([], { node: { ...node, message } })).toMatch(/class="by">scout.*Interrupted here/s)
})

test('text of spaces alone takes no room', () => {
  expect(shown([{ type: 'text', text: '  \n' }])).not.toContain('prose')
})
