import type { WireOpenSpan, WireSpan, WireTrace } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { givePage } from '../../../test/conversation.ts'
import { useAppState } from '../../state/app-state.ts'
import { loadSpans } from './load-spans.ts'

const open: WireOpenSpan = { id: 1, kind: 'stage', stage: 'model', depth: 1, turnId: 't', step: 0, startedAt: 5 }
const ended = { ...open, id: 0, stage: 'turn', durationMs: 3, status: 'done' } as WireSpan

test('spans that have ended and spans that run now are both in the timeline', async () => {
  givePage({}, { trace: async () => ({ spans: [ended], open: [open] }) as unknown as WireTrace })
  await loadSpans('t')
  expect([...(useAppState.getState().spans.get('t')?.values() ?? [])]).toEqual([ended, open])
})
