import { type ReactNode, useState } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { accessTo } from '../conversation/facts/access-to.ts'
import { textOf } from '../conversation/facts/message-parts.ts'
import { plainText } from '../conversation/facts/plain-text.ts'
import { countBelow, hideMessage } from '../conversation/hide-message.ts'
import { lookAt } from '../conversation/look-at.ts'
import { useAppState } from '../state/app-state.ts'
import { changePageLayout } from '../state/page-layout.ts'
import { formatUsage } from '../ui/format-usage.ts'
import { Icon } from '../ui/icon.tsx'
import { Modal } from '../ui/modal.tsx'
import { takeWayBack, useWayBack } from './way-back.ts'

/** Actions for the head of the tree: go on in the chat, or hide the message with its subtree. */
export function HeadBar({
  nodes,
  head,
}: {
  readonly nodes: ReadonlyMap<string, WireNode>
  readonly head: string
}): ReactNode {
  const [asking, ask] = useState(false)
  const own = useAppState(app => accessTo(app, app.openId) === 'own')
  const node = nodes.get(head)
  if (!node) return null
  return (
    <div className="selected">
      <p>
        <span className="selected-text">
          <strong>You are here:</strong>{' '}
          {plainText(textOf(node.message), node.message.role).slice(0, 140) || node.message.role}
        </span>
        {node.usage && <span className="usage">{formatUsage(node.usage)}</span>}
      </p>
      <BackButton nodes={nodes} />
      <button type="button" className="button primary small" onClick={() => changePageLayout({ mainPanel: undefined })}>
        Go on from here
      </button>
      {own && (
        <button type="button" className="button small" onClick={() => ask(true)}>
          <Icon name="eye" size={15} /> Hide
        </button>
      )}
      {asking && <HideQuestion nodes={nodes} head={head} close={() => ask(false)} />}
    </div>
  )
}

/** Asks before a message is hidden with all below it, and says how many these are. */
function HideQuestion({
  nodes,
  head,
  close,
}: {
  readonly nodes: ReadonlyMap<string, WireNode>
  readonly head: string
  readonly close: () => void
}): ReactNode {
  const count = countBelow(nodes, head)
  const hide = () => void hideMessage(head).then(close)
  return (
    <Modal label="Hide this message?" close={close}>
      <p>
        {count === 1
          ? 'Hide this message? The log keeps it, and it can be undone.'
          : `Hide this message and the ${count === 2 ? 'one' : count - 1} below it? The log keeps them, and it can be undone.`}
      </p>
      <div className="modal-actions">
        <button type="button" className="button" onClick={close}>
          Keep it
        </button>
        <button type="button" className="button danger" onClick={hide}>
          Hide the subtree
        </button>
      </div>
    </Modal>
  )
}

/** Leads back to the head that the person left for another message of the tree. A head that is hidden now is passed over. */
function BackButton({ nodes }: { readonly nodes: ReadonlyMap<string, WireNode> }): ReactNode {
  const openId = useAppState(app => app.openId)
  const { conversationId, heads } = useWayBack()
  if (conversationId !== openId || !heads.some(id => nodes.has(id))) return null
  const goBack = () => {
    let head = takeWayBack()
    while (head !== undefined && !nodes.has(head)) head = takeWayBack()
    if (head !== undefined) lookAt(head)
  }
  return (
    <button type="button" className="button small" onClick={goBack}>
      Back<span className="back-where"> to where I was</span>
    </button>
  )
}
