import { expect, test } from 'vitest'
import { conversation, givePage, runningTurnOf } from '../../test/conversation.ts'
import { panels } from '../panels.ts'
import { useAppState } from './app-state.ts'
import { isPanelOpen, openInspector, togglePanel } from './page-layout.ts'

const get = useAppState.getState

test.each(panels)('the $id opens and closes in its place', panel => {
  givePage({})
  togglePanel(panel)
  expect(isPanelOpen(get(), panel.id)).toBe(true)
  expect([get().mainPanel, get().sidePanel]).toContain(panel.id)
  togglePanel(panel)
  expect([get().mainPanel, get().sidePanel]).toEqual([undefined, undefined])
})

test('a main and a side panel are open at once', () => {
  givePage({})
  const [main, side] = [panels.find(({ place }) => place === 'main'), panels.find(({ place }) => place === 'side')]
  for (const panel of [main, side]) if (panel) togglePanel(panel)
  expect([get().mainPanel, get().sidePanel]).toEqual([main?.id, side?.id])
})

const turns = [runningTurnOf('old', null), runningTurnOf('new', null)]

test.each([
  { asked: 'old', inspected: 'old' },
  { asked: 'new', inspected: undefined },
])('the inspector asked for the turn "$asked" inspects $inspected', ({ asked, inspected }) => {
  givePage({ conversation: conversation({ turns }) })
  openInspector({ tab: 'decisions', turnId: asked })
  expect(get()).toMatchObject({ sidePanel: 'inspector', inspected: { tab: 'decisions', turnId: inspected } })
})
