import type { WireRequest } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { RequestCard } from './request-card.tsx'

const shown = (more: object) =>
  draw(RequestCard, { request: { id: 'r', kind: 'permission', payload: {}, ...more } as unknown as WireRequest })

test.each([
  { kind: 'permission', payload: { name: 'add', args: {} }, says: 'Allow' },
  { kind: 'clarification', payload: { question: 'Which boat?' }, says: 'Which boat?' },
])('a request of the kind $kind has its form', ({ kind, payload, says }) => {
  const html = shown({ kind, payload })
  expect(html).toContain(`aria-label="The agent asks: ${kind}"`)
  expect(html).toContain(says)
})

test('a deadline is told where there is one', () => {
  expect(shown({ deadline: Date.now() + 60_000 })).toContain('class="deadline"')
  expect(shown({})).not.toContain('deadline')
})
