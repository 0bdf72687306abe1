import { memo, type ReactNode, useContext, useState } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { attachmentsOf, textOf } from '../conversation/facts/message-parts.ts'
import { sendMessage } from '../conversation/send-message.ts'
import { ReadOnlyContext } from '../share/read-only.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { BranchSwitcher } from './branch-switcher.tsx'
import { FileView } from './file-view.tsx'
import { MessageTime } from './message-time.tsx'
import { SaidText } from './said-text.tsx'

interface Props {
  readonly node: WireNode
  readonly siblings: number
}

/** A message of a person or of the system. Editing it sends a sibling: the old branch stays. */
export const UserMessage = memo(function UserMessage({ node, siblings }: Props): ReactNode {
  const [editing, setEditing] = useState(false)
  const readOnly = useContext(ReadOnlyContext)
  const text = textOf(node.message)
  const files = node.message.content.filter(part => part.type === 'file')
  const label = node.message.role === 'system' ? 'System' : node.message.by ? `Said by ${node.message.by}` : 'You said'
  return (
    <article className={`message ${node.message.role}`} id={`m-${node.id}`} tabIndex={-1} aria-label={label}>
      {editing ? (
        <EditBox node={node} text={text} done={() => setEditing(false)} />
      ) : (
        <div className="bubble">
          {node.message.by && <p className="by">{node.message.by}</p>}
          {files.map((file, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a recorded message never move
            <FileView key={i} file={file} />
          ))}
          {text && <SaidText text={text} />}
        </div>
      )}
      <div className="message-actions">
        <BranchSwitcher node={node} count={siblings} />
        {!editing && text && <CopyButton text={text} label="Copy" />}
        {!editing && !readOnly && node.message.role === 'user' && (
          <IconButton
            icon="edit"
            label="Edit and send again, as a new branch"
            size={15}
            onClick={() => setEditing(true)}
          />
        )}
        {!editing && <MessageTime at={node.createdAt} />}
      </div>
    </article>
  )
})

interface EditProps {
  readonly node: WireNode
  readonly text: string
  readonly done: () => void
}

function EditBox({ node, text, done }: EditProps): ReactNode {
  const [draft, setDraft] = useState(text)
  const [isOnItsWay, setOnItsWay] = useState(false)
  // The box stays until the server has the edit: it may have to wait for a message before it, or fail.
  const submit = async () => {
    if (isOnItsWay || !draft.trim()) return
    setOnItsWay(true)
    if (await sendMessage(draft, attachmentsOf(node.message), node.parentId)) done()
    else setOnItsWay(false)
  }
  return (
    <div className="bubble editing">
      <textarea
        aria-label="Edit your message"
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for it
        autoFocus
        value={draft}
        readOnly={isOnItsWay}
        rows={Math.min(12, draft.split('\n').length + 1)}
        onChange={event => setDraft(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Escape' && !isOnItsWay) done()
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            void submit()
          }
        }}
      />
      <div className="edit-actions">
        <button type="button" className="button" disabled={isOnItsWay} onClick={done}>
          Cancel
        </button>
        <button type="button" className="button primary" onClick={() => void submit()}>
          {isOnItsWay ? 'Sending …' : 'Send as a new branch'}
        </button>
      </div>
    </div>
  )
}
