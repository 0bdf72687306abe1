import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversation } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'

beforeEach(() => vi.stubGlobal('matchMedia', () => ({ matches: true })))
afterEach(() => vi.unstubAllGlobals())

test('without messages it says how a tree grows', async () => {
  const { default: TreeView } = await import('./tree-view.tsx')
  expect(draw(TreeView, {})).toContain('Loading the tree …')
  expect(draw(TreeView, {}, { conversation: conversation() })).toContain('It grows with the first message.')
})
