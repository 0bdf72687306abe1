import { useReactFlow } from '@xyflow/react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/icon-button.tsx'

interface Props {
  readonly query: string
  readonly setQuery: (query: string) => void
  readonly found: number | undefined
  readonly comparing: boolean
  readonly compare: (on: boolean) => void
}

export function TreeBar({ query, setQuery, found, comparing, compare }: Props): ReactNode {
  const { zoomIn, zoomOut, fitView } = useReactFlow()
  return (
    <div className="tree-bar">
      <input
        type="search"
        placeholder="Find in this tree"
        aria-label="Find in this tree"
        value={query}
        onChange={event => setQuery(event.target.value)}
      />
      <span className="tree-count" role="status">
        {found === undefined ? '' : `${found} found`}
      </span>
      <IconButton
        icon="compare"
        label="Compare two branches"
        text={comparing ? 'Pick two messages' : 'Compare'}
        aria-pressed={comparing}
        onClick={() => compare(!comparing)}
      />
      <button type="button" className="icon-button" aria-label="Zoom out" onClick={() => void zoomOut()}>
        −
      </button>
      <button type="button" className="icon-button" aria-label="Zoom in" onClick={() => void zoomIn()}>
        +
      </button>
      <button
        type="button"
        className="icon-button"
        onClick={() => void fitView({ duration: 250, padding: { top: '40px', bottom: '110px', x: '40px' } })}
      >
        Fit
      </button>
    </div>
  )
}
