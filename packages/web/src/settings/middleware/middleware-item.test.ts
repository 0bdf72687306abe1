import type { WireMiddleware } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { MiddlewareItem } from './middleware-item.tsx'

const middleware: WireMiddleware = {
  name: 'step-limit',
  enabled: false,
  priority: 5,
  guard: false,
  hooks: [],
  switchable: [],
}
const actions = { save: async () => true, remove: async () => true }

test('an entry of the user’s file can be changed and removed', () => {
  const entry = { use: 'step-limit', from: 'user', names: ['step-limit'], options: { max: 2 } } as const
  const html = draw(MiddlewareItem, { middleware, entry, actions })
  expect(html).toMatch(/off.*priority .*5.*your file.*Change step-limit.*Remove step-limit/s)
})

test('one of the project’s file is fixed, and one of the program has no entry', () => {
  const entry = { use: './hook.ts', from: 'project', names: ['step-limit'] } as const
  const html = draw(MiddlewareItem, { middleware, entry })
  expect(html).toContain('fixed by the project’s file')
  expect(html).not.toContain('button')
  expect(draw(MiddlewareItem, { middleware, entry: undefined })).not.toContain('file')
})

test('an entry that works later says from when', () => {
  const entry = { use: 'retry', from: 'user', names: [], later: true } as const
  expect(draw(MiddlewareItem, { middleware: undefined, entry })).toContain('from the next start on')
})
