import type { ReactNode } from 'react'
import { pageAddress } from '../links.ts'
import { type Scenario, scenarios } from './scenarios.ts'

interface Given {
  readonly current: Scenario
  readonly onPick: (id: string) => void
}

/** Chips where there is room, a list to choose from on a phone; below it what the scenario shows. */
export function ScenarioPicker({ current, onPick }: Given): ReactNode {
  return (
    <section className="scenarios" aria-label="Scenarios">
      <div className="scenario-chips">
        {scenarios.map(({ id, title }) => (
          <button key={id} type="button" aria-pressed={id === current.id} onClick={() => onPick(id)}>
            {title}
          </button>
        ))}
      </div>
      <label className="scenario-select">
        <span>Scenario</span>
        <select value={current.id} onChange={event => onPick(event.target.value)}>
          {scenarios.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <p className="scenario-shows">
        {current.shows} <a href={pageAddress(current.page)}>More in the docs</a>
      </p>
    </section>
  )
}
