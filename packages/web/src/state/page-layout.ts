import type { Panel, PanelId } from '../panels.ts'
import { type AppState, type Inspected, useAppState } from './app-state.ts'

const { getState: get, setState: set } = useAppState

/** The part of the state that says which panels and drawers are open. */
export type PageLayout = Pick<AppState, 'mainPanel' | 'sidePanel' | 'railOpen' | 'revealedMessage'>

export const changePageLayout = (change: Partial<PageLayout>): void => set(change)

const slots = { main: 'mainPanel', side: 'sidePanel' } as const

export const isPanelOpen = ({ mainPanel, sidePanel }: PageLayout, id: PanelId): boolean =>
  mainPanel === id || sidePanel === id

/** Opens a panel in its place, or closes it. */
export function togglePanel({ id, place }: Panel & { readonly id: PanelId }): void {
  const slot = slots[place]
  set({ [slot]: get()[slot] === id ? undefined : id })
}

/** Opens the inspector at a tab, a turn or both. At the newest turn it follows those that come after. */
export function openInspector(change: Partial<Inspected>): void {
  const { inspected, conversation } = get()
  const newest = [...(conversation?.turns.keys() ?? [])].at(-1)
  const { tab, turnId } = { ...inspected, ...change }
  set({ sidePanel: 'inspector', inspected: { tab, turnId: turnId === newest ? undefined : turnId } })
}
