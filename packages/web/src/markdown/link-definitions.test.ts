import { expect, test } from 'vitest'
import { linkDefinitions, withDefinitions } from './link-definitions.ts'

test('a section gets the definitions that it needs, wherever they were written; code has none', () => {
  const definitions = linkDefinitions(
    'a [Docs]\n\n[docs]: https://example.com/\n[other]: https://example.org/\n\n```\n[x]: y\n```',
  )
  expect([...definitions.keys()]).toEqual(['docs', 'other'])
  expect(withDefinitions('see [Docs].', definitions)).toBe('see [Docs].\n\n[docs]: https://example.com/')
  expect(withDefinitions('see none', definitions)).toBe('see none')
})
