import type { ReactNode } from 'react'
import type { FilePart } from 'turnbuckle/client'
import { Icon } from '../ui/icon.tsx'

const showable = /^image\/(png|jpeg|gif|webp|avif)$/

/**
 * A file of a message or result: inline base64 data of a safe image type as a picture, any other file by its name.
 * Fetches nothing.
 */
export function FileView({ file }: { readonly file: Pick<FilePart, 'mediaType' | 'data' | 'name'> }): ReactNode {
  const { mediaType, data, name } = file
  const text = String(data)
  const inline = /^[A-Za-z0-9+/]+={0,2}$/.test(text)
  if (showable.test(mediaType) && inline)
    return <img className="picture" src={`data:${mediaType};base64,${text}`} alt={name ?? 'Attached image'} />
  return (
    <p className="file-chip">
      <Icon name="clip" size={15} /> {name ?? (inline ? mediaType : text.slice(0, 120))}
    </p>
  )
}
