import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { Code } from './code.tsx'

test('code is there in one colour before it is painted, and can be scrolled with the keyboard', () => {
  const html = draw(Code, { text: 'const a = 1 < 2', language: 'ts' })
  expect(html).toContain('<pre tabindex="0"><code data-painted="0">')
  expect(html).toContain('const a = 1 &lt; 2')
})
