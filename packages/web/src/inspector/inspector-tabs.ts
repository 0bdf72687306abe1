import type { ComponentType } from 'react'
import type { WireTurn } from 'turnbuckle/client'
import type { InspectorTabId } from '../state/app-state.ts'
import { Decisions } from './decisions.tsx'
import { MiddlewareList } from './middleware-list.tsx'
import { Permissions } from './permissions.tsx'
import { Timeline } from './timeline.tsx'

/** A tab shows one turn, which the person chooses above it, or the whole agent. */
type InspectorTab =
  | { readonly label: string; readonly of: 'turn'; readonly View: ComponentType<{ readonly turn: WireTurn }> }
  | { readonly label: string; readonly of: 'agent'; readonly View: ComponentType }

/** The tabs in the order they are shown. A new one is an id in `InspectorTabId`, a row here and its component. */
export const inspectorTabs: Readonly<Record<InspectorTabId, InspectorTab>> = {
  timeline: { label: 'Timeline', of: 'turn', View: Timeline },
  decisions: { label: 'Who decided', of: 'turn', View: Decisions },
  middleware: { label: 'Middleware', of: 'agent', View: MiddlewareList },
  permissions: { label: 'Permissions', of: 'agent', View: Permissions },
}
