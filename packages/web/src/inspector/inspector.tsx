import './inspector.css'
import { type ReactNode, useRef } from 'react'
import type { WireTurn } from 'turnbuckle/client'
import { type InspectorTabId, useAppState } from '../state/app-state.ts'
import { changePageLayout, openInspector } from '../state/page-layout.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { inspectorTabs } from './inspector-tabs.ts'
import { usePanelFocus } from './use-panel-focus.ts'

const tabs = (Object.keys(inspectorTabs) as InspectorTabId[]).map(id => ({ id, label: inspectorTabs[id].label }))

/** A turn from the inside, and the agent's middleware and permissions. */
export default function Inspector(): ReactNode {
  const turns = useAppState(app => app.conversation?.turns)
  const { tab, turnId } = useAppState(app => app.inspected)
  const list = [...(turns?.values() ?? [])]
  const turn = list.find(({ id }) => id === turnId) ?? list.at(-1)
  const panel = useRef<HTMLElement>(null)
  usePanelFocus(panel)
  return (
    <aside className="inspector side-panel" aria-label="Inspector" ref={panel} tabIndex={-1}>
      <div className="inspector-head">
        <h2>Inspector</h2>
        <IconButton
          icon="close"
          label="Close the inspector"
          onClick={() => changePageLayout({ sidePanel: undefined })}
        />
      </div>
      <Tabs
        label="Inspector"
        tabs={tabs}
        chosen={tab}
        choose={chosen => openInspector({ tab: chosen })}
        panel="inspector-panel"
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard */}
      <div className="inspector-body" role="tabpanel" id="inspector-panel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        <TabBody tab={inspectorTabs[tab]} turns={list} turn={turn} />
      </div>
    </aside>
  )
}

interface TabBodyProps extends TurnChoiceProps {
  readonly tab: (typeof inspectorTabs)[InspectorTabId]
}

function TabBody({ tab, turns, turn }: TabBodyProps): ReactNode {
  if (tab.of === 'agent') return <tab.View />
  return (
    <>
      <TurnChoice turns={turns} turn={turn} />
      {turn && <tab.View key={turn.id} turn={turn} />}
    </>
  )
}

interface TurnChoiceProps {
  readonly turns: readonly WireTurn[]
  readonly turn: WireTurn | undefined
}

function TurnChoice({ turns, turn }: TurnChoiceProps): ReactNode {
  if (!turn) return <p className="rail-note">No turn yet. Send a message and watch it here.</p>
  return (
    <label className="turn-choice">
      <span className="visually-hidden">Turn</span>
      <select value={turn.id} onChange={event => openInspector({ turnId: event.target.value })}>
        {turns.map(({ id, status, startedAt }, i) => (
          <option key={id} value={id}>
            Turn {i + 1} · {new Date(startedAt).toLocaleTimeString()} · {status}
          </option>
        ))}
      </select>
    </label>
  )
}
