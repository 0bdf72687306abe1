import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { CutOffReply } from './cut-off-reply.tsx'

test.each([
  { running: true, says: 'it is being written anew' },
  { running: false, says: 'Cut off when the server ended</p>' },
])('a reply that was cut off says so, running: $running', ({ running, says }) => {
  const html = draw(CutOffReply, { text: 'half of it', running })
  expect(html).toContain('half of it')
  expect(html).toContain(says)
})
