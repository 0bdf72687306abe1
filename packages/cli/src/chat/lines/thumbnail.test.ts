import { expect, test } from 'vitest'
import { pictureProtocol, thumbnail } from './thumbnail.ts'

/** The beginning of a PNG of so many pixels, and something behind it. */
function png(width: number, height: number, length = 40) {
  const bytes = Buffer.alloc(length)
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return { type: 'file' as const, mediaType: 'image/png', data: bytes.toString('base64') }
}

test.each([
  { env: { TERM: 'xterm-kitty' }, is: 'kitty' },
  { env: { TERM_PROGRAM: 'ghostty' }, is: 'kitty' },
  { env: { TERM_PROGRAM: 'iTerm.app' }, is: 'iterm' },
  { env: { TERM_PROGRAM: 'WezTerm' }, is: 'iterm' },
  { env: { TERM: 'xterm-kitty', TMUX: '/tmp/tmux' }, is: undefined },
  { env: { TERM: 'xterm-256color' }, is: undefined },
])('$env draws pictures by $is', ({ env, is }) => {
  expect(pictureProtocol(env)).toBe(is)
})

test.each([
  { file: png(20, 20), rows: 1, columns: 2 },
  { file: png(800, 400), rows: 10, columns: 40 },
  { file: png(4000, 400), rows: 4, columns: 78 },
])('a picture keeps its shape within ten rows and the width: $rows × $columns', ({ file, rows, columns }) => {
  const drawn = thumbnail(file, 'kitty', 80)
  expect(drawn?.rows).toBe(rows)
  expect(drawn?.sequence).toBe(`\x1b_Ga=T,f=100,C=1,q=2,r=${rows},c=${columns},m=0;${file.data}\x1b\\`)
})

test('a long picture goes to kitty in parts of at most 4096 bytes', () => {
  const sequences =
    thumbnail(png(100, 100, 9000), 'kitty', 80)
      ?.sequence.split('\x1b\\')
      .slice(0, -1) ?? []
  expect(sequences.map(one => /m=(\d)/.exec(one)?.[1])).toEqual(['1', '1', '0'])
})

test.each([
  { what: 'text that is no base64', file: { ...png(9, 9), data: 'AAAA\x1b]0;owned\x07' }, protocol: 'iterm' as const },
  { what: 'an address', file: { ...png(9, 9), data: 'https://example.org/a.png' }, protocol: 'iterm' as const },
  {
    what: 'a JPEG in kitty',
    file: { type: 'file' as const, mediaType: 'image/jpeg', data: '/9j/4AAQ' },
    protocol: 'kitty' as const,
  },
  {
    what: 'a recording',
    file: { type: 'file' as const, mediaType: 'audio/wav', data: 'AAAA' },
    protocol: 'iterm' as const,
  },
])('$what is not drawn', ({ file, protocol }) => {
  expect(thumbnail(file, protocol, 80)).toBeUndefined()
})

test('iTerm2 takes a JPEG, whose size it finds out itself', () => {
  const file = { type: 'file' as const, mediaType: 'image/jpeg', data: '/9j/4AAQ' }
  expect(thumbnail(file, 'iterm', 80)).toMatchObject({ rows: 10, sequence: expect.stringContaining('width=auto') })
})
