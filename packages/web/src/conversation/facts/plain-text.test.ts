import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test.each([
  { text: '# Title\n- **one** `two` *three*', is: 'Title\none two three' },
  { text: '> quoted\n```ts\nconst a = 1\n```', is: 'quoted\n\nconst a = 1' },
  { text: '2 * 3 * 4 and snake__case', is: '2 * 3 * 4 and snake__case' },
])('a reply "$text" is read as "$is"', ({ text, is }) => expect(plainText(text, 'assistant')).toBe(is))

test('a user message keeps every sign', () => expect(plainText(' # **a** ', 'user')).toBe('# **a**'))
