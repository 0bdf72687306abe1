import './inspector.css'
import type { ReactNode } from 'react'
import type { WireTurn } from 'turnbuckle/client'
import { type Inspected, inspect, show, useApp } from '../state/app-state.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { type Tab, Tabs } from '../ui/tabs.tsx'
import { Decisions } from './decisions.tsx'
import { MiddlewareList } from './middleware-list.tsx'
import { Permissions } from './permissions.tsx'
import { Timeline } from './timeline.tsx'

const tabs: readonly Tab<Inspected['tab']>[] = [
  { id: 'timeline', label: 'Timeline' },
  { id: 'decisions', label: 'Who decided' },
  { id: 'middleware', label: 'Middleware' },
  { id: 'permissions', label: 'Permissions' },
]

export default function Inspector(): ReactNode {
  const turns = useApp(app => app.conversation?.turns)
  const { tab, turnId } = useApp(app => app.inspected)
  const list = [...(turns?.values() ?? [])]
  const turn = list.find(({ id }) => id === turnId) ?? list.at(-1)
  return (
    <aside className="inspector" aria-label="Inspector">
      <div className="inspector-head">
        <h2>Inspector</h2>
        <IconButton icon="close" label="Close the inspector" onClick={() => show({ inspecting: false })} />
      </div>
      <Tabs
        label="Inspector"
        tabs={tabs}
        chosen={tab}
        choose={chosen => inspect({ tab: chosen })}
        panel="inspector-panel"
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard */}
      <div className="inspector-body" role="tabpanel" id="inspector-panel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {(tab === 'timeline' || tab === 'decisions') && <TurnChoice turns={list} turn={turn} />}
        {tab === 'timeline' && turn && <Timeline key={turn.id} turn={turn} />}
        {tab === 'decisions' && turn && <Decisions key={turn.id} turn={turn} />}
        {tab === 'middleware' && <MiddlewareList />}
        {tab === 'permissions' && <Permissions />}
      </div>
    </aside>
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
      <select value={turn.id} onChange={event => inspect({ turnId: event.target.value })}>
        {turns.map(({ id, status, startedAt }, i) => (
          <option key={id} value={id}>
            Turn {i + 1} · {new Date(startedAt).toLocaleTimeString()} · {status}
          </option>
        ))}
      </select>
    </label>
  )
}
