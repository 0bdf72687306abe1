import { type ReactNode, useEffect, useState } from 'react'
import type { WireDecision, WireTurn } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'

/** Every directive of a turn: its middleware, hook point and step, and which one won. */
export function Decisions({ turn }: { readonly turn: WireTurn }): ReactNode {
  const [decisions, setDecisions] = useState<readonly WireDecision[]>()
  const seq = useAppState(app => app.conversation?.seq)
  const news = turn.status === 'running' ? seq : turn.status
  // biome-ignore lint/correctness/useExhaustiveDependencies: while the turn runs, events may mean new decisions
  useEffect(() => {
    let current = true
    void callServer(client => client.explain(turn.id)).then(list => current && setDecisions(list ?? []))
    return () => {
      current = false
    }
  }, [turn.id, news])
  return (
    <>
      <p className="outcome">
        {turn.status === 'running' ? 'Still running.' : `Ended as ${turn.status}`}
        {turn.by ? ` by ${turn.by}` : ''}
        {turn.reason && turn.reason !== turn.status ? `: ${turn.error ?? turn.reason}` : ''}
      </p>
      {decisions?.length === 0 && <p className="rail-note">No hook steered this turn.</p>}
      <ol className="decisions">
        {decisions?.map((decision, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: decisions only come at the end
          <li key={i} data-won={decision.won}>
            <span className="directive">{decision.directive}</span> <strong>{decision.by}</strong> at {decision.at},
            step {decision.step + 1}
            {decision.won ? ' · won' : ''}
            {decision.reason && <p>{decision.reason}</p>}
          </li>
        ))}
      </ol>
    </>
  )
}
