import { beforeAll, expect, test } from 'vitest'
import { hiddenMark, withoutHidden } from './hidden-mark.ts'
import { loadMarkdown, renderMarkdown } from './render-markdown.ts'

beforeAll(loadMarkdown)

test('lines with the mark are not drawn, nor blank lines beside them', () => {
  expect(withoutHidden([`• ${hiddenMark}`, '', 'a', '', 'b', '', hiddenMark])).toEqual(['a', '', 'b'])
  expect(withoutHidden(['', 'a'])).toEqual(['', 'a'])
})

test('foreign text cannot hide a line, neither with the mark nor with its number', () => {
  expect(renderMarkdown(`rm -rf ${hiddenMark}/ &#xfdd0; &#64976; &amp;#xfdd0;`, 40).join('\n')).toContain('rm -rf /')
  expect(renderMarkdown(`- one ${hiddenMark}\n- two`, 40)).toHaveLength(2)
})
