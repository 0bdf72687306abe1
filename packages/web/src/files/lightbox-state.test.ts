import { expect, test } from 'vitest'
import { closeLightbox, stepLightbox, useLightbox } from './lightbox-state.ts'

test('one steps from picture to picture, and not beyond the ends', () => {
  const pictures = ['a', 'b', 'c'].map(name => ({ src: name, name }))
  useLightbox.setState({ pictures, index: 1 })
  const at = (by: number) => {
    stepLightbox(by)
    return useLightbox.getState().index
  }
  expect([at(1), at(1), at(-1), at(-1), at(-1)]).toEqual([2, 2, 1, 0, 0])
  closeLightbox()
  expect(useLightbox.getState().index).toBeUndefined()
})
