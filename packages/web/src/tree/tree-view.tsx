import './tree.css'
import { ReactFlowProvider } from '@xyflow/react'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type MessageTree, pathTo } from '../conversation/facts/message-tree.ts'
import { lookAt } from '../conversation/look-at.ts'
import { useAppState } from '../state/app-state.ts'
import { useLatest } from '../ui/use-latest.ts'
import { CompareBranches } from './compare/compare-branches.tsx'
import { useComparison } from './compare/use-comparison.ts'
import { findInTree } from './find-in-tree.ts'
import { HeadBar } from './head-bar.tsx'
import { MessagePreview } from './message-preview.tsx'
import { neighbour } from './neighbour.ts'
import { TreeBar } from './tree-bar.tsx'
import { TreeCanvas } from './tree-canvas.tsx'
import { layOutTree } from './tree-layout.ts'
import { TreeMinimap } from './tree-minimap.tsx'
import { TreeOverview, useFar } from './tree-overview.tsx'
import { useCentreOnMessage } from './use-centre-on-message.ts'
import { useFlowElements } from './use-flow-elements.ts'
import { leaveHead } from './way-back.ts'

/**
 * The tree panel. It reads only nodes, head and tips of the conversation, so that a delta of a live message draws
 * nothing here.
 */
export default function TreeView(): ReactNode {
  const nodes = useAppState(app => app.conversation?.nodes)
  if (!nodes) return <p className="loading">Loading the tree …</p>
  if (!nodes.size)
    return (
      <div className="empty">
        <h2>No tree yet</h2>
        <p>It grows with the first message. Every edit and every retry makes a branch.</p>
      </div>
    )
  return (
    <ReactFlowProvider>
      <Tree nodes={nodes} />
    </ReactFlowProvider>
  )
}

function Tree({ nodes }: { readonly nodes: MessageTree }): ReactNode {
  const { query, setQuery, comparing, picked, compare, layout, path, found, head, view, arrows } = useTree(nodes)
  const panel = useRef<HTMLElement>(null)
  const far = useFar()
  const [left, right] = picked
  useKeepFocus(panel, right, nodes)
  /** ESC leads back as the comparison's own buttons do: from two branches to picking, from there to the tree. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && comparing) compare(right !== undefined)
    else arrows.onKeyDown(event)
  }
  return (
    <section
      ref={panel}
      className="tree"
      aria-label="Tree of the conversation"
      tabIndex={-1}
      {...arrows}
      onKeyDown={onKeyDown}
    >
      <TreeBar
        placed={layout.placed}
        query={query}
        setQuery={setQuery}
        found={found?.length}
        picked={picked.length}
        comparing={comparing}
        compare={compare}
      />
      {left && right ? (
        <CompareBranches nodes={nodes} left={left} right={right} close={() => compare(true)} />
      ) : (
        <>
          <TreeCanvas view={view}>
            {far && <TreeOverview placed={layout.placed} path={path} head={head} found={found} />}
          </TreeCanvas>
          {!far && <TreeMinimap placed={layout.placed} path={path} head={head} />}
          <MessagePreview nodes={nodes} panel={panel} />
        </>
      )}
      {head && !comparing && <HeadBar nodes={nodes} head={head} />}
    </section>
  )
}

/** Takes the focus where what had it is gone: the message box when the tree opens, a message when two are compared or it is hidden. */
function useKeepFocus(panel: RefObject<HTMLElement | null>, compared: string | undefined, nodes: MessageTree): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a comparison that opens or closes takes elements away, and so do messages that are hidden
  useEffect(() => {
    // The page's main part has it where the message box, which had it, is gone.
    if (document.activeElement?.matches('body, #stage')) panel.current?.focus({ preventScroll: true })
  }, [panel, compared, nodes])
}

/** The tree as it is drawn now: laid out, searched, compared, and walked through with the arrow keys. */
function useTree(nodes: MessageTree) {
  const head = useAppState(app => app.conversation?.head ?? null)
  const tips = useAppState(app => app.conversation?.tips)
  const [query, setQuery] = useState('')
  const { comparing, picked, pick: toCompare, compare } = useComparison()
  const [wanted, want] = useState<string>()
  const layout = useMemo(() => layOutTree(nodes), [nodes])
  const path = useMemo(() => new Set(pathTo(nodes, head).map(({ id }) => id)), [nodes, head])
  const searched = useDeferredValue(query)
  const found = useMemo(() => findInTree(nodes, searched), [nodes, searched])
  const centre = useCentreOnMessage(layout.placed, found?.[0] ?? head)
  useCentreOnMessage(layout.placed, wanted)
  const pick = useLatest((id: string) => {
    want(undefined)
    if (comparing) toCompare(id)
    else if (id === head) centre(id)
    else goTo(id, head)
  })
  const view = useFlowElements(nodes, layout, { head, path, tips, found, picked, wanted, pick })
  const arrows = arrowKeys(nodes, { path, head, wanted, want })
  return { query, setQuery, comparing, picked, compare, layout, path, found, head, view, arrows }
}

function goTo(id: string, from: string | null): void {
  if (from) leaveHead(useAppState.getState().openId, from)
  lookAt(id)
}

interface Walk {
  readonly path: ReadonlySet<string>
  readonly head: string | null
  readonly wanted: string | undefined
  want(id: string | undefined): void
}

/** Arrow keys lead from message to message, and from the panel itself to the head. A message that is focused in another way ends the walk. */
const arrowKeys = (nodes: MessageTree, { path, head, wanted, want }: Walk) => ({
  onKeyDown(event: KeyboardEvent) {
    const isAtPanel = event.target === event.currentTarget && event.key.startsWith('Arrow')
    const from = event.target instanceof HTMLElement ? event.target.dataset.node : undefined
    const to = isAtPanel ? head : from && neighbour(nodes, from, event.key, path)
    if (!to) return
    event.preventDefault()
    want(to)
  },
  onFocus(event: FocusEvent<HTMLElement>) {
    if (event.target.dataset.node !== wanted) want(undefined)
  },
})
