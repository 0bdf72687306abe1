import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { IconName } from './ui/icon.tsx'

/** A view that is opened from the header or by Alt and its key. Its code is loaded when it is first opened. */
export interface Panel {
  readonly id: string
  /** `main` takes the place of the chat, `side` stands beside the conversation. */
  readonly place: 'main' | 'side'
  /** The letter that opens and closes the panel, with Alt. */
  readonly key: string
  readonly icon: IconName
  /** Label of the panel's button for screen readers, and the text beside its icon. */
  readonly label: string
  readonly text: string
  readonly View: LazyExoticComponent<ComponentType>
}

/** Every panel of the page. A new one is a row here and its component. */
export const panels = [
  {
    id: 'tree',
    place: 'main',
    key: 'T',
    icon: 'tree',
    label: 'Show the tree',
    text: 'Tree',
    View: lazy(() => import('./tree/tree-view.tsx')),
  },
  {
    id: 'inspector',
    place: 'side',
    key: 'I',
    icon: 'gauge',
    label: 'Inspector',
    text: 'Inspector',
    View: lazy(() => import('./inspector/inspector.tsx')),
  },
] as const satisfies readonly Panel[]

export type PanelId = (typeof panels)[number]['id']
