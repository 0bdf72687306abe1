import { expect, test } from 'vitest'
import { fitWithin, scaleImage } from './scale-image.ts'

test.each([
  { from: [4000, 3000], to: [2048, 1536] },
  { from: [3000, 6000], to: [1024, 2048] },
  { from: [800, 600], to: [800, 600] },
  { from: [10_000, 1], to: [2048, 1] },
])('a picture of $from pixels fits as $to', ({ from: [width = 0, height = 0], to }) => {
  const size = fitWithin(width, height, 2048)
  expect([size.width, size.height]).toEqual(to)
})

test.each(['text/plain', 'image/gif', 'image/svg+xml', 'image/png'])(
  'a file of type %s that is no picture to scale, or cannot be read, stays as it is',
  async type => {
    const file = new Blob(['not a picture'], { type })
    expect(await scaleImage(file)).toBe(file)
  },
)
