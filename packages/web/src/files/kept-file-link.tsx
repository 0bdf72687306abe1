import { type ReactNode, useContext } from 'react'
import { showNotice } from '../state/show-notice.ts'
import { Icon } from '../ui/icon.tsx'
import { FileReaderContext } from './file-reader.ts'
import { fileUrl } from './file-urls.ts'
import { saveAs } from './save-as.ts'

/** A file that the server keeps, to save. It is never opened in this page, whose origin it would have. */
export function KeptFileLink({ id, name }: { readonly id: string; readonly name: string }): ReactNode {
  const read = useContext(FileReaderContext)
  const save = () =>
    fileUrl(id, read).then(
      url => saveAs(url, name),
      () => showNotice(`${name} is not there any more.`),
    )
  return (
    <button type="button" className="file-chip" aria-label={`Save ${name}`} onClick={() => void save()}>
      <Icon name="clip" size={15} /> {name} <Icon name="download" size={15} />
    </button>
  )
}
