import type { ReactNode } from 'react'
import { type FilePart, keptFileId } from 'turnbuckle/client'
import { KeptFileLink } from '../files/kept-file-link.tsx'
import { KeptPicture, Picture } from '../files/picture.tsx'
import { Icon } from '../ui/icon.tsx'

const showable = /^image\/(png|jpeg|gif|webp|avif)$/

/**
 * A file of a message or result: a safe image type as a picture, any other file by its name. Fetches nothing but files that our own
 * server keeps.
 */
export function FileView({ file }: { readonly file: Pick<FilePart, 'mediaType' | 'data' | 'name'> }): ReactNode {
  const { mediaType, data, name } = file
  const kept = keptFileId(data)
  const isPicture = showable.test(mediaType)
  if (kept !== undefined)
    return isPicture ? (
      <KeptPicture id={kept} name={name ?? 'Attached image'} />
    ) : (
      <KeptFileLink id={kept} name={name ?? mediaType} />
    )
  const text = String(data)
  const inline = /^[A-Za-z0-9+/]+={0,2}$/.test(text)
  if (isPicture && inline) return <Picture src={`data:${mediaType};base64,${text}`} name={name ?? 'Attached image'} />
  return (
    <p className="file-chip">
      <Icon name="clip" size={15} /> {name ?? (inline ? mediaType : text.slice(0, 120))}
    </p>
  )
}
