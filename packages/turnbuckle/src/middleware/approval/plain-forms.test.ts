import { expect, test } from 'vitest'
import { plainForms, plainRules } from './plain-forms.ts'

test.each([
  { text: 'src/a.ts', others: ['src/a.ts'] },
  { text: './.env', others: ['.env'] },
  { text: 'src/../.env', others: ['.env'] },
  { text: 'src//deep/./a.ts', others: ['src/deep/a.ts'] },
  { text: 'src/', others: ['src'] },
  { text: 'src\\..\\.env', others: ['.env'] },
  { text: '../../x', others: ['../../x'] },
  { text: '/a/../../etc/passwd', others: ['/etc/passwd'] },
  { text: './', others: ['.'] },
  { text: '/..', others: ['/'] },
  { text: `${'./'.repeat(5000)}.env`, others: ['.env'] },
])('the path $text is plainly $others', ({ text, others }) => expect(plainForms(text)).toEqual(others))

test.each([
  'https://example.com/a',
  'HTTPS://Example.COM/a',
  'https://example.com:443/x/../a',
  'https://me:secret@example.com/a',
  'https://example.com./a',
  'https://example.com/%61',
  'https:/example.com/a',
  'https:example.com/a',
  '\u0001ht\ntps://exam\tple.com/a',
  ' https:\\\\example.com/a',
])('the address %s is also the plain one', text => expect(plainForms(text)).toContain('https://example.com/a'))

test.each([
  { text: 'FILE:/etc/passwd', plain: 'file:///etc/passwd' },
  { text: 'ws:/evil.org/x', plain: 'ws://evil.org/x' },
])('$text is the address $plain, without two slashes too', ({ text, plain }) => {
  expect(plainForms(text)).toContain(plain)
})

test('an address is as long as it likes', () => {
  expect(plainForms(`HTTPS://example.com/${'a'.repeat(10_000)}`)[0]).toMatch(/^https:/)
})

test('a text that only begins like an address has no other spelling', () => {
  expect(plainForms('https://[')).toEqual([])
})

test.each([
  { rule: './secrets/*', plain: 'secrets/*' },
  { rule: 'src//a/../b', plain: 'src/b' },
  { rule: 'HTTPS://*.Example.com:443/x/*', plain: 'https://*.example.com/x/*' },
  { rule: 'https://example.com', plain: 'https://example.com/' },
])('the rule $rule is plainly $plain', ({ rule, plain }) => expect(plainRules(rule)).toContain(plain))

test.each(['*/../x', 'src/*/'])('the stars of %s leave it as it is', rule => expect(plainRules(rule)).toEqual([]))

test('a rule about one name and password does not become one about everybody', () => {
  expect(plainRules('https://me@Example.com/*')).toEqual(['https://me@example.com/*'])
})
