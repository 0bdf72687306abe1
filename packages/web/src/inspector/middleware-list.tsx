import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { WireMiddleware } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { formatDuration } from '../ui/format-duration.ts'

/** The middleware, with switches that take effect at the next stage. */
export function MiddlewareList(): ReactNode {
  const [list, setList] = useState<readonly WireMiddleware[]>()
  const seq = useAppState(app => app.conversation?.seq)
  const load = useCallback(
    () => void callServer(client => client.middleware()).then(found => found && setList(found)),
    [],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: new events mean new figures
  useEffect(load, [load, seq])
  const turn = (name: string, enabled: boolean) =>
    void callServer(client => client.switchMiddleware(name, enabled)).then(load)
  if (!list) return <p className="rail-note">Loading …</p>
  if (!list.length) return <p className="rail-note">This agent has no middleware.</p>
  return (
    <ul className="middleware">
      {list.map(one => (
        <li key={one.name}>
          <div className="middleware-head">
            <strong>{one.name}</strong>
            {one.guard && <span className="directive">guard</span>}
            <button
              type="button"
              role="switch"
              className="switch"
              aria-checked={one.enabled}
              aria-label={`${one.name} is ${one.enabled ? 'on' : 'off'}`}
              onClick={() => turn(one.name, !one.enabled)}
            />
          </div>
          {one.hooks.length > 0 && <Figures middleware={one} />}
        </li>
      ))}
    </ul>
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
