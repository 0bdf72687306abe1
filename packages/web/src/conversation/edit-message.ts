import type { WireNode } from 'turnbuckle/client'
import { type MessageEdit, useAppState } from '../state/app-state.ts'
import { showNotice } from '../state/show-notice.ts'
import { attachmentsOf, textOf } from './facts/message-parts.ts'
import { sendMessage } from './send-message.ts'

const { getState: get, setState: set } = useAppState

/** Opens the box in which a message is edited. The edit is the page's: it outlives scrolling, another conversation, and a failure. */
export const beginEdit = ({ id, message }: WireNode): void => change(id, { text: textOf(message), isOnItsWay: false })

export const writeEdit = (id: string, text: string): void => change(id, { text, isOnItsWay: false })

export function dropEdit(id: string): void {
  const { [id]: _, ...others } = get().edits
  set({ edits: others })
}

/** Drops an edit that the person gives up. One that was changed can be taken back from the notice. */
export function cancelEdit({ id, message }: WireNode): void {
  const edit = get().edits[id]
  dropEdit(id)
  if (edit && edit.text !== textOf(message))
    showNotice('Your edit is dropped.', 'news', { label: 'Undo', run: () => change(id, edit) })
}

/** Sends an edit as a sibling of its message. The box stays until the server has it: it may have to wait for a message before it, or fail. */
export async function submitEdit({ id, parentId, message }: WireNode): Promise<void> {
  const edit = get().edits[id]
  if (!edit?.text.trim() || edit.isOnItsWay) return
  change(id, { ...edit, isOnItsWay: true })
  if (await sendMessage(edit.text, attachmentsOf(message), parentId)) dropEdit(id)
  else change(id, edit)
}

const change = (id: string, edit: MessageEdit): void => set({ edits: { ...get().edits, [id]: edit } })
