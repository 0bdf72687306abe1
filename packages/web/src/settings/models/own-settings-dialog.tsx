import '../settings.css'
import { type FormEvent, type ReactNode, useState } from 'react'
import { changeOwnSettings } from '../../conversation/change-own-settings.ts'
import { useAppState } from '../../state/app-state.ts'
import { Modal } from '../../ui/modal.tsx'
import { paramsChange, paramsDraft } from './params-draft.ts'
import { ParamsFields } from './params-fields.tsx'

/** Instructions and parameters of the open conversation, or of the next new one. */
export default function OwnSettingsDialog({ done }: { readonly done: () => void }): ReactNode {
  const own = useAppState(app => (app.openId === undefined ? app.newSettings : app.conversation?.settings)) ?? {}
  const [text, setText] = useState(own.instructions ?? '')
  const [draft, setDraft] = useState(() => paramsDraft(own.params))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const params = paramsChange(own.params ?? {}, draft)
    if (await changeOwnSettings({ instructions: text.trim() || null, params })) done()
  }
  return (
    <Modal label="Instructions and parameters of this conversation" close={done}>
      <form onSubmit={event => void save(event)}>
        <h2 className="modal-title">This conversation</h2>
        <p className="source-note">
          From its next turn on. They are added to those for all conversations, and count more.
        </p>
        <label className="field-label" htmlFor="own-instructions">
          Instructions
        </label>
        <textarea id="own-instructions" rows={5} value={text} onChange={event => setText(event.target.value)} />
        <ParamsFields scope="own" draft={draft} write={setDraft} otherwise="As for all" />
        <div className="modal-actions">
          <button type="button" className="button" onClick={done}>
            Cancel
          </button>
          <button type="submit" className="button primary">
            Save
          </button>
        </div>
      </form>
    </Modal>
  )
}
