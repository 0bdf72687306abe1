import { type ReactNode, useEffect, useState } from 'react'
import type { WireDecision, WireTurn } from 'turnbuckle/client'
import { attempt } from '../state/store.ts'

/** Every directive of a turn: by whom, where, and whether it won. */
export function Decisions({ turn }: { readonly turn: WireTurn }): ReactNode {
  const [decisions, setDecisions] = useState<readonly WireDecision[]>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked again when the turn ends
  useEffect(() => {
    void attempt(client => client.explain(turn.id)).then(list => setDecisions(list ?? []))
  }, [turn.id, turn.status])
  return (
    <>
      <p className="outcome">
        {turn.status === 'running' ? 'Still running.' : `Ended as ${turn.status}`}
        {turn.by ? ` by ${turn.by}` : ''}
        {turn.reason ? `: ${turn.error ?? turn.reason}` : ''}
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
