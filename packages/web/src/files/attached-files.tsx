import type { ReactNode } from 'react'
import { retryUpload, tooLarge } from '../conversation/loading/upload-files.ts'
import { editDraft } from '../conversation/submit-draft.ts'
import { type DraftFile, useAppState } from '../state/app-state.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { KeptPicture } from './picture.tsx'

const picture = /^image\/(png|jpeg|gif|webp|avif)$/

/** The files of the draft: pictures small, others by name, each with how its upload stands. */
export function AttachedFiles(): ReactNode {
  const files = useAppState(app => app.draft.files)
  if (!files.length) return null
  return (
    <ul className="attached" aria-label="Attached">
      {files.map(file => (
        <Attached key={file.key} file={file} />
      ))}
    </ul>
  )
}

function Attached({ file }: { readonly file: DraftFile }): ReactNode {
  const { key, name, mediaType, id, problem } = file
  const remove = () => editDraft({ files: useAppState.getState().draft.files.filter(one => one.key !== key) })
  return (
    <li data-problem={problem !== undefined}>
      {id !== undefined && picture.test(mediaType) ? (
        <KeptPicture id={id} name={name} />
      ) : (
        <Icon name="clip" size={15} />
      )}
      <span className="attached-name">{name}</span>
      <span className="attached-state" role="status">
        {problem ?? (id === undefined ? 'Uploading …' : '')}
      </span>
      {problem !== undefined && problem !== tooLarge && (
        <IconButton icon="retry" size={14} label={`Upload ${name} again`} onClick={() => retryUpload(key)} />
      )}
      <IconButton icon="close" size={14} label={`Remove ${name}`} onClick={remove} />
    </li>
  )
}
