import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PermissionForm } from './permission-form.tsx'

const drawn = (payload: unknown) =>
  renderToStaticMarkup(createElement(PermissionForm, { payload, busy: false, answer: () => {} }))

test.each([
  { scopes: undefined, offered: ['Once', 'In this conversation', 'In this project', 'Always'] },
  { scopes: ['once', 'always'], offered: ['Once', 'Always'] },
  { scopes: ['once'], offered: [] },
])('the scopes $scopes are offered as $offered', ({ scopes, offered }) => {
  const html = drawn({ name: 'shell', args: {}, ...(scopes ? { scopes } : {}) })
  expect([...html.matchAll(/type="radio".*?<span>(.*?)<\/span>/g)].map(([, label]) => label)).toEqual(offered)
})

test('a call without a diff shows its arguments; one with a diff folds them under its path', () => {
  expect(drawn({ name: 'shell', args: { command: 'ls' } })).not.toContain('<details>')
  const html = drawn({ name: 'edit_file', args: { path: 'a.ts' }, diff: '@@ line 1 @@\n-old\n+new' })
  expect(html).toContain('<summary>a.ts, all arguments</summary>')
  expect(html).toContain('<span data-kind="gone">old')
})

test('what the title says is not said again: a command, or a path, stands there once', () => {
  expect(drawn({ name: 'shell', args: { command: 'ls -l' } }).match(/ls -l/g)).toHaveLength(1)
  const html = drawn({ name: 'shell', args: { command: 'ls -l', cwd: '/srv' } })
  expect(html.match(/ls -l/g)).toHaveLength(1)
  expect(html).toContain('&quot;cwd&quot;: &quot;/srv&quot;')
  expect(drawn({ name: 'add', args: { a: 2 } })).toContain('&quot;a&quot;: 2')
})

test('a command of several lines is told with their number, and again as JSON, where no line break hides its end', () => {
  const html = drawn({ name: 'shell', args: { command: `ls${'\n'.repeat(30)}rm -rf ~` } })
  expect(html).toContain('<span>31 lines</span></p>')
  expect(html).toContain(`&quot;command&quot;: &quot;ls${'\\n'.repeat(30)}rm -rf ~&quot;`)
})

test('nothing of a call is hidden: neither in its title, nor in its arguments, nor in its diff', () => {
  const [turned, tag] = ['\u202e', String.fromCodePoint(0xe0041)]
  const command = drawn({ name: 'shell', args: { command: `ls ${turned}x`, cwd: `a${tag}` } })
  const edit = drawn({ name: 'edit_file', args: { path: `a${tag}.ts` }, diff: `@@ line 1 @@\n-old\n+new${turned}` })
  for (const html of [command, edit]) expect(html).not.toMatch(/[\u202e\u{e0041}]/u)
  expect(command).toContain('<code>$ ls \\u{202e}x</code>')
  expect(edit).toContain('new\\u{202e}')
})

test('a request without a payload can still be answered', () => {
  expect(drawn(undefined)).toMatch(/A tool.*Allow.*Deny/)
})

test('a question is titled by the command, or by the path and the size of the change', () => {
  expect(drawn({ name: 'shell', args: { command: 'npm test' } })).toContain('<code>$ npm test</code></p>')
  const html = drawn({ name: 'edit_file', args: { path: 'a.ts' }, diff: '@@ line 1 @@\n-old\n+new' })
  expect(html).toContain('<code>a.ts</code><span>+1 −1</span></p>')
})

test('a question that may be passed on names the people it can go to; another offers nothing of the kind', () => {
  const html = drawn({ name: 'pay', args: {}, delegates: ['cfo', 'lead'] })
  expect(html).toContain('placeholder="Pass it on to: cfo, lead"')
  expect(html).toMatch(/disabled=""[^>]*>Pass on</)
  expect(drawn({ name: 'pay', args: {} })).not.toContain('Pass on')
})
