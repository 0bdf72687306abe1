import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useContext, useMemo } from 'react'
import { branchesBelow } from '../conversation/facts/branches-below.ts'
import type { MessageTree } from '../conversation/facts/message-tree.ts'
import { lookAt } from '../conversation/look-at.ts'
import { ReadOnlyContext } from '../share/read-only.ts'
import { Icon } from '../ui/icon.tsx'

interface Props {
  readonly nodes: MessageTree
  readonly head: string | null
}

/** At an inner message: the branches that go on below it, and the way to each. Below the end of a branch there is nothing to say. */
export function GoesOnBelow({ nodes, head }: Props): ReactNode {
  const branches = useMemo(() => (head === null ? [] : branchesBelow(nodes, head)), [nodes, head])
  const readOnly = useContext(ReadOnlyContext)
  if (!branches.length) return null
  const label = branches.length === 1 ? 'continues in one branch' : `continues in ${branches.length} branches`
  return (
    <div className="goes-on">
      <p>
        You are here, inside this branch. It{' '}
        <DropdownMenu.Root modal={false}>
          <DropdownMenu.Trigger className="link">
            {label} <Icon name="down" size={14} />
          </DropdownMenu.Trigger>
          <DropdownMenu.Content className="menu" align="start" sideOffset={4} collisionPadding={8}>
            {branches.map(({ id, words, count, leaf }) => (
              <DropdownMenu.Item key={id} className="menu-item goes-on-branch" onSelect={() => lookAt(leaf)}>
                <span>{words}</span>
                <span className="usage">{count === 1 ? 'one message' : `${count} messages`}</span>
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Root>
        .{!readOnly && ' What you write now begins another.'}
      </p>
    </div>
  )
}
