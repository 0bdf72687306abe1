import { memo, type ReactNode, useContext, useState } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { beginEdit, cancelEdit, submitEdit, writeEdit } from '../conversation/edit-message.ts'
import { textOf } from '../conversation/facts/message-parts.ts'
import { ReadOnlyContext } from '../share/read-only.ts'
import { type MessageEdit, useAppState } from '../state/app-state.ts'
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
  const edit = useAppState(({ edits }) => edits[node.id])
  // An edit that one comes back to does not take the focus from the message box.
  const [begunHere, setBegunHere] = useState(false)
  const readOnly = useContext(ReadOnlyContext)
  const text = textOf(node.message)
  const label = node.message.role === 'system' ? 'System' : node.message.by ? `Said by ${node.message.by}` : 'You said'
  return (
    <article className={`message ${node.message.role}`} id={`m-${node.id}`} tabIndex={-1} aria-label={label}>
      {edit ? (
        <EditBox node={node} edit={edit} focused={begunHere}>
          <Files node={node} />
        </EditBox>
      ) : (
        <div className="bubble">
          {node.message.by && <p className="by">{node.message.by}</p>}
          <Files node={node} />
          {text && <SaidText text={text} />}
        </div>
      )}
      <div className="message-actions">
        <BranchSwitcher node={node} count={siblings} />
        {!edit && text && <CopyButton text={text} label="Copy" />}
        {!edit && !readOnly && node.message.role === 'user' && (
          <IconButton
            icon="edit"
            label="Edit and send again, as a new branch"
            size={15}
            onClick={() => {
              setBegunHere(true)
              beginEdit(node)
            }}
          />
        )}
        {!edit && <MessageTime at={node.createdAt} />}
      </div>
    </article>
  )
})

/** The files of a message. An edit of its words takes them along. */
function Files({ node }: { readonly node: WireNode }): ReactNode {
  return node.message.content
    .filter(part => part.type === 'file')
    .map((file, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a recorded message never move
      <FileView key={i} file={file} />
    ))
}

interface EditProps {
  readonly node: WireNode
  readonly edit: MessageEdit
  readonly focused: boolean
  readonly children: ReactNode
}

function EditBox({ node, edit: { text, isOnItsWay }, focused, children }: EditProps): ReactNode {
  return (
    <div className="bubble editing">
      {children}
      <textarea
        aria-label="Edit your message"
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for it
        autoFocus={focused}
        onFocus={({ target }) => {
          // Only where the box has just been opened: later the caret is the person's.
          if (text === textOf(node.message)) target.setSelectionRange(text.length, text.length)
        }}
        value={text}
        readOnly={isOnItsWay}
        rows={Math.min(12, text.split('\n').length + 1)}
        onChange={event => writeEdit(node.id, event.target.value)}
        onKeyDown={event => {
          // While an input method composes, its keys choose and end what it composes.
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape' && !isOnItsWay) cancelEdit(node)
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            void submitEdit(node)
          }
        }}
      />
      <div className="edit-actions">
        <button type="button" className="button" disabled={isOnItsWay} onClick={() => cancelEdit(node)}>
          Cancel
        </button>
        <button type="button" className="button primary" onClick={() => void submitEdit(node)}>
          {isOnItsWay ? 'Sending …' : 'Send as a new branch'}
        </button>
      </div>
    </div>
  )
}
