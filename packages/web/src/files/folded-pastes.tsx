import { lazy, type ReactNode, Suspense, useState } from 'react'
import { editDraft } from '../conversation/submit-draft.ts'
import { type FoldedPaste, useAppState } from '../state/app-state.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { pasteLabel } from './fold-paste.ts'

const PasteDialog = lazy(() => import('./paste-dialog.tsx'))

/** The long pastes of the draft, each folded to one line that opens it. */
export function FoldedPastes(): ReactNode {
  const pastes = useAppState(app => app.draft.pastes)
  if (!pastes.length) return null
  return (
    <ul className="attached" aria-label="Pasted">
      {pastes.map(paste => (
        <Folded key={paste.key} paste={paste} />
      ))}
    </ul>
  )
}

/** Puts a text in the place of a paste; an empty one removes it. */
function changePaste(key: string, text: string): void {
  const { pastes } = useAppState.getState().draft
  const changed = pastes.map(paste => (paste.key === key ? { key, text } : paste))
  editDraft({ pastes: changed.filter(paste => paste.text !== '') })
}

function Folded({ paste: { key, text } }: { readonly paste: FoldedPaste }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const label = pasteLabel(text)
  return (
    <li>
      <button type="button" className="attached-name" aria-label={`Open: ${label}`} onClick={() => setOpen(true)}>
        <Icon name="copy" size={15} /> {label}
      </button>
      <IconButton icon="close" size={14} label={`Remove: ${label}`} onClick={() => changePaste(key, '')} />
      {isOpen && (
        <Suspense>
          <PasteDialog
            text={text}
            cancel={() => setOpen(false)}
            done={changed => {
              setOpen(false)
              changePaste(key, changed)
            }}
          />
        </Suspense>
      )}
    </li>
  )
}
