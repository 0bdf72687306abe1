import type { ReactNode } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { newestLeaf, siblingsOf } from '../conversation/facts/message-tree.ts'
import { lookAt } from '../conversation/look-at.ts'
import { useAppState } from '../state/app-state.ts'
import { IconButton } from '../ui/icon-button.tsx'

/** ‹ 2/3 › beside a message that has siblings: goes to the newest leaf of another branch. */
export function BranchSwitcher({ node, count }: { readonly node: WireNode; readonly count: number }): ReactNode {
  const nodes = useAppState(app => app.conversation?.nodes)
  if (count < 2 || !nodes) return null
  const siblings = siblingsOf(nodes, node)
  const index = siblings.findIndex(({ id }) => id === node.id)
  const go = (to: number) => {
    const sibling = siblings[to]
    if (sibling) lookAt(newestLeaf(nodes, sibling.id))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <span className="branches" role="group" aria-label="Branches">
      <IconButton icon="left" label="Previous branch" size={15} disabled={index <= 0} onClick={() => go(index - 1)} />
      <span>
        {index + 1}/{siblings.length}
      </span>
      <IconButton
        icon="right"
        label="Next branch"
        size={15}
        disabled={index >= siblings.length - 1}
        onClick={() => go(index + 1)}
      />
    </span>
  )
}
