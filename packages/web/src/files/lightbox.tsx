import './lightbox.css'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { closeLightbox, stepLightbox, useLightbox } from './lightbox-state.ts'

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }

/** Pictures in large, over the page. The arrow keys lead from one to the next, ESC closes, and a click shows it in its own size. */
export default function Lightbox(): ReactNode {
  const { pictures, index = 0 } = useLightbox()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isWhole, setWhole] = useState(true)
  useEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
    return () => element?.close()
  }, [])
  const picture = pictures[index]
  if (!picture) return null
  const onKeyDown = (event: KeyboardEvent) => {
    const by = steps[event.key]
    if (by !== undefined) stepLightbox(by)
  }
  return (
    <dialog ref={dialog} className="lightbox" aria-label={picture.name} onClose={closeLightbox} onKeyDown={onKeyDown}>
      <div className="lightbox-bar">
        <p aria-live="polite">
          {picture.name}
          {pictures.length > 1 && ` · ${index + 1} of ${pictures.length}`}
        </p>
        <a className="icon-button" href={picture.src} download={picture.name}>
          Save
        </a>
        <IconButton icon="close" label="Close (ESC)" onClick={closeLightbox} autoFocus />
      </div>
      <div className="lightbox-picture" data-whole={isWhole}>
        <button
          type="button"
          aria-label={isWhole ? 'Show it in its own size' : 'Fit it in'}
          onClick={() => setWhole(!isWhole)}
        >
          <img src={picture.src} alt={picture.name} />
        </button>
      </div>
      {pictures.length > 1 && (
        <div className="lightbox-steps">
          <IconButton icon="left" label="Previous picture" disabled={index === 0} onClick={() => stepLightbox(-1)} />
          <IconButton
            icon="right"
            label="Next picture"
            disabled={index === pictures.length - 1}
            onClick={() => stepLightbox(1)}
          />
        </div>
      )}
    </dialog>
  )
}
