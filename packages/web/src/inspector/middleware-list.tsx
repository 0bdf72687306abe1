import { type ReactNode, useEffect, useState } from 'react'
import type { WireMiddleware } from 'turnbuckle/client'
import { accessTo } from '../conversation/facts/access-to.ts'
import {
  isOnIn,
  loadMiddleware,
  type SwitchScope,
  switchOff,
  switchOn,
} from '../conversation/loading/load-middleware.ts'
import { useAppState } from '../state/app-state.ts'
import { formatDuration } from '../ui/format-duration.ts'
import { SwitchOffDialog } from './switch-off-dialog.tsx'

/** The middleware, with switches that take effect at the next stage. Switching off a guard asks first, and for whom. */
export function MiddlewareList(): ReactNode {
  const list = useAppState(app => app.middleware)
  const openId = useAppState(app => app.openId)
  const seq = useAppState(app => app.conversation?.seq)
  const own = useAppState(app => accessTo(app, app.openId) === 'own')
  const [asking, ask] = useState<WireMiddleware>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: new events mean new figures
  useEffect(() => void loadMiddleware(), [seq])
  const turn = (one: WireMiddleware, isOn: boolean) => {
    if (!isOn) void switchOn(one)
    else if (one.guard) ask(one)
    else void switchOff(one.name, one.switchable.includes('everyone') ? 'everyone' : 'conversation')
  }
  if (!list) return <p className="rail-note">Loading …</p>
  if (!list.length) return <p className="rail-note">This agent has no middleware.</p>
  return (
    <>
      <ul className="middleware">
        {list.map(one => (
          <li key={one.name}>
            <Head middleware={one} isOn={isOnIn(one, openId)} turn={turn} />
            {one.description && <p className="middleware-does">{one.description}</p>}
            {one.hooks.length > 0 && <Figures middleware={one} />}
          </li>
        ))}
      </ul>
      {asking !== undefined && (
        <SwitchOffDialog
          name={asking.name}
          scopes={switchableHere(asking, own)}
          cancel={() => ask(undefined)}
          choose={scope => void switchOff(asking.name, scope).then(() => ask(undefined))}
        />
      )}
    </>
  )
}

/** For whom a middleware can be switched here: in a conversation only by whose it is. */
const switchableHere = ({ switchable }: WireMiddleware, own: boolean): readonly SwitchScope[] =>
  switchable.filter(scope => own || scope === 'everyone')

interface HeadProps {
  readonly middleware: WireMiddleware
  readonly isOn: boolean
  readonly turn: (middleware: WireMiddleware, isOn: boolean) => void
}

function Head({ middleware, isOn, turn }: HeadProps): ReactNode {
  const { name, guard } = middleware
  const own = useAppState(app => accessTo(app, app.openId) === 'own')
  const fixed = !switchableHere(middleware, own).length
  return (
    <div className="middleware-head">
      <strong>{name}</strong>
      {guard && <span className="directive">guard</span>}
      {fixed && <span className="span-by">{own || guard ? 'owners switch it' : 'its owner switches it'}</span>}
      <button
        type="button"
        role="switch"
        className="switch"
        disabled={fixed}
        aria-checked={isOn}
        aria-label={`${name} is ${isOn ? 'on' : 'off'}`}
        onClick={() => turn(middleware, isOn)}
      />
    </div>
  )
}

function Figures({ middleware }: { readonly middleware: WireMiddleware }): ReactNode {
  return (
    <table>
      <caption className="visually-hidden">Times are without what people took to answer</caption>
      <thead>
        <tr>
          <th>Hook</th>
          <th>Calls</th>
          <th>Failed</th>
          <th>p50</th>
          <th>p99</th>
        </tr>
      </thead>
      <tbody>
        {middleware.hooks.map(({ at, calls, failures, p50, p99 }) => (
          <tr key={at}>
            <td>{at}</td>
            <td>{calls}</td>
            <td data-bad={failures > 0}>{failures}</td>
            <td>{formatDuration(p50)}</td>
            <td>{formatDuration(p99)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
