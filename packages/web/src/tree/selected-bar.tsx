import { type ReactNode, useState } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { attempt, show, useApp } from '../state/app-state.ts'
import { textOf } from '../state/path.ts'
import { usageText } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { Modal } from '../ui/modal.tsx'

/** What can be done at the head: go on in the chat, or hide it with all below. */
export function SelectedBar({
  nodes,
  head,
}: {
  readonly nodes: ReadonlyMap<string, WireNode>
  readonly head: string
}): ReactNode {
  const [asking, ask] = useState(false)
  const openId = useApp(app => app.openId)
  const node = nodes.get(head)
  if (!node) return null
  const hide = () => void attempt(client => client.hideMessage(openId ?? '', head)).then(() => ask(false))
  return (
    <div className="selected">
      <p>
        <span className="selected-text">
          <strong>Head:</strong> {textOf(node.message).slice(0, 140) || node.message.role}
        </span>
        {node.usage && <span className="usage">{usageText(node.usage)}</span>}
      </p>
      <button type="button" className="button primary small" onClick={() => show({ panel: 'chat' })}>
        Go on from here
      </button>
      <button type="button" className="button small" onClick={() => ask(true)}>
        <Icon name="eye" size={15} /> Hide
      </button>
      {asking && (
        <Modal label="Hide this message?" close={() => ask(false)}>
          <p>Hide this message and everything below it? The log keeps it, the tree no longer shows it.</p>
          <div className="modal-actions">
            <button type="button" className="button" onClick={() => ask(false)}>
              Keep it
            </button>
            <button type="button" className="button danger" onClick={hide}>
              Hide the subtree
            </button>
          </div>
        </Modal>
      )}
    </div>
  )
}
