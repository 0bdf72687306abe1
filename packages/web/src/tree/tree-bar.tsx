import { useReactFlow } from '@xyflow/react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { motionMs } from '../ui/motion-ms.ts'
import { HiddenDialog } from './hidden-dialog.tsx'
import type { PlacedMessage } from './tree-layout.ts'
import { useFitTree } from './use-fit-tree.ts'

interface Props {
  readonly placed: readonly PlacedMessage[]
  readonly query: string
  readonly setQuery: (query: string) => void
  readonly found: number | undefined
  readonly picked: number
  readonly comparing: boolean
  readonly compare: (on: boolean) => void
}

/** Text of the compare button, by the number of messages picked. */
const steps = ['Pick two messages', 'Pick one more']

export function TreeBar({ placed, query, setQuery, found, picked, comparing, compare }: Props): ReactNode {
  const [isListing, setListing] = useState(false)
  const next = comparing ? (steps[picked] ?? 'Comparing') : undefined
  // The comparison stands where the tree was.
  const isCovered = comparing && picked >= steps.length
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
        // A name has the text that is seen in it: people who speak to their computer say that.
        label={next === undefined ? 'Compare two branches' : `Compare two branches: ${next}`}
        text={next ?? 'Compare'}
        aria-pressed={comparing}
        onClick={() => compare(!comparing)}
      />
      <IconButton icon="eye" label="Hidden messages" onClick={() => setListing(true)} />
      {isListing && <HiddenDialog done={() => setListing(false)} />}
      <ZoomButtons placed={placed} isCovered={isCovered} />
    </div>
  )
}

function ZoomButtons({ placed, isCovered }: Pick<Props, 'placed'> & { readonly isCovered: boolean }): ReactNode {
  const { zoomIn, zoomOut } = useReactFlow()
  const fit = useFitTree(placed)
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Zoom out"
        disabled={isCovered}
        onClick={() => void zoomOut({ duration: motionMs() })}
      >
        −
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label="Zoom in"
        disabled={isCovered}
        onClick={() => void zoomIn({ duration: motionMs() })}
      >
        +
      </button>
      <button type="button" className="icon-button" disabled={isCovered} onClick={fit}>
        Fit
      </button>
    </>
  )
}
