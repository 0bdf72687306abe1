import { create } from 'zustand'

export interface ShownPicture {
  readonly src: string
  readonly name: string
}

interface LightboxState {
  readonly pictures: readonly ShownPicture[]
  /** The picture that is looked at; without one the lightbox is closed. */
  readonly index: number | undefined
}

/** The pictures that are looked at in large. */
export const useLightbox = create<LightboxState>()(() => ({ pictures: [], index: undefined }))

/** Opens the lightbox at a picture's button; the pictures before and behind it on the page can be gone to. */
export function openLightbox(button: Element): void {
  const buttons = [...document.querySelectorAll('.picture-button')]
  const pictures = buttons.map(one => {
    const image = one.querySelector('img')
    return { src: image?.src ?? '', name: image?.alt ?? '' }
  })
  useLightbox.setState({ pictures, index: Math.max(0, buttons.indexOf(button)) })
}

export const closeLightbox = (): void => useLightbox.setState({ index: undefined })

/** Goes to the picture so many places further; at an end it stays. */
export function stepLightbox(by: number): void {
  const { pictures, index = 0 } = useLightbox.getState()
  useLightbox.setState({ index: Math.min(Math.max(index + by, 0), pictures.length - 1) })
}
