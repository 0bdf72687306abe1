import { lazy, type ReactNode, Suspense } from 'react'
import { useLightbox } from './lightbox-state.ts'

const Lightbox = lazy(() => import('./lightbox.tsx'))

/** The place of the lightbox in the page. Its code is loaded when a picture is first looked at. */
export function LightboxHost(): ReactNode {
  const isOpen = useLightbox(({ index }) => index !== undefined)
  return isOpen ? (
    <Suspense>
      <Lightbox />
    </Suspense>
  ) : null
}
