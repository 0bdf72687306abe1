import type { ReactNode } from 'react'
import { openLightbox } from './lightbox-state.ts'
import { useFileUrl } from './use-file-url.ts'

/** A picture that opens in large. */
export function Picture({ src, name }: { readonly src: string; readonly name: string }): ReactNode {
  return (
    <button
      type="button"
      className="picture-button"
      aria-label={`Look at ${name}`}
      onClick={event => openLightbox(event.currentTarget)}
    >
      <img className="picture" src={src} alt={name} />
    </button>
  )
}

/** A picture that the server keeps. Its place is kept while it is loaded, so that nothing below it moves. */
export function KeptPicture({ id, name }: { readonly id: string; readonly name: string }): ReactNode {
  const url = useFileUrl(id)
  return (
    <span className="kept-picture" aria-busy={url === undefined}>
      {url === 'missing' ? `${name} is not there any more` : url && <Picture src={url} name={name} />}
    </span>
  )
}
