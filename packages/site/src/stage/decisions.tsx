import type { ReactNode } from 'react'
import type { Decision } from 'turnbuckle'
import { explainDecision } from '../play/explain-decision.ts'
import type { Scene } from '../play/scene.ts'

/** Every directive that hooks have returned, whose, where, and what came of it: `turn.explain()`. */
export function Decisions({ scene }: { readonly scene: Scene }): ReactNode {
  const turns = [...scene.decisions.values()]
  const isEmpty = turns.every(decisions => !decisions.length)
  const isRunning = (turn: number, step: number) => !scene.ended && turn === turns.length - 1 && step >= scene.step
  return (
    <section className="decisions" aria-label="Who decided what">
      <h2>Who decided what</h2>
      {isEmpty && (
        <p className="empty">
          {scene.ended ? 'No hook has steered this turn.' : 'A hook steers by returning a directive.'}
        </p>
      )}
      <ol>
        {turns.flatMap((decisions, turn) =>
          decisions.map((decision, i) => (
            <Item
              // biome-ignore lint/suspicious/noArrayIndexKey: decisions are only ever added
              key={`${turn} ${decision.by} ${decision.at} ${decision.step} ${decision.callId} ${i}`}
              decision={decision}
              others={decisions}
              isOpen={isRunning(turn, decision.step)}
            />
          )),
        )}
      </ol>
    </section>
  )
}

interface ItemGiven {
  readonly decision: Decision
  readonly others: readonly Decision[]
  readonly isOpen: boolean
}

function Item({ decision, others, isOpen }: ItemGiven): ReactNode {
  const { directive, by, at, step, reason, won } = decision
  return (
    <li data-outcome={won ? 'won' : isOpen ? 'open' : 'lost'}>
      <p>
        <span className="directive">{directive}</span> <strong>{by}</strong> in {at}, step {step}
      </p>
      {reason && <p className="reason">“{reason}”</p>}
      <p className="effect">{explainDecision(decision, others, isOpen)}</p>
    </li>
  )
}
