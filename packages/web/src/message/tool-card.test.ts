import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Call, LiveCall, ResultPart } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { ToolCard } from './tool-card.tsx'

const call: Call = { type: 'call', id: 'c', name: 'add', args: { a: 1, b: 'two' } }
const drawn = (live?: Partial<LiveCall>, result?: Partial<ResultPart>, made: Partial<Call> = {}) =>
  renderToStaticMarkup(
    createElement(ToolCard, {
      call: { ...call, ...made },
      live: live && ({ turnId: 't', callId: 'c', name: 'add', status: 'pending', ...live } as LiveCall),
      result: result && ({ type: 'result', id: 'c', name: 'add', status: 'ok', value: '', ...result } as ResultPart),
    }),
  ).replace(/<svg.*?<\/svg>/g, '')

test.each([
  { name: 'a call that is written', html: drawn(), status: 'pending', says: 'Pending' },
  { name: 'a call that runs', html: drawn({ status: 'executing' }), status: 'executing', says: 'Running' },
  {
    name: 'a call whose result its provider never tells',
    html: drawn(undefined, undefined, { byProvider: true }),
    status: 'provider',
    says: 'Run by the provider',
  },
  {
    name: 'a recorded result',
    html: drawn({ status: 'executing' }, { status: 'denied' }),
    status: 'denied',
    says: 'Denied',
  },
])('$name shows "$says"', ({ html, status, says }) => {
  expect(html).toContain(`data-status="${status}"`)
  expect(html).toContain(says)
})

test('a call that did not end well says why in its first line', () => {
  const [first] = drawn(undefined, { status: 'error', value: 'no\nrope' }).split('</summary>')
  expect(first).toContain('<span class="tool-reason">no rope</span>')
})

test('a duration is shown for a call that ran to its end, and not for one that was interrupted', () => {
  expect(drawn({ status: 'ok', durationMs: 1500 })).toContain('1.5 s')
  expect(drawn({ status: 'interrupted', durationMs: 1500 })).not.toContain('1.5 s')
})

test('arguments that a person or hook changed are shown beside those of the model', () => {
  const html = drawn({ status: 'ok', args: { a: 2, b: 'two' } })
  expect(html).toContain('Arguments, as it was run')
  expect(html).toContain('Arguments, as the model asked')
  expect(drawn({ status: 'ok', args: { ...(call.args as object) } })).not.toContain('as the model asked')
})

test.each([
  { progress: { message: 'half', done: 1, total: 4 }, value: 0.25 },
  { progress: { progress: 0.5 }, value: 0.5 },
  { progress: { done: 9, total: 4 }, value: 1 },
])('progress $progress fills $value of the bar', ({ progress, value }) => {
  expect(drawn({ status: 'executing', progress })).toContain(`<progress value="${value}"`)
})

test('a result that holds a picture and text shows both', () => {
  const html = drawn(undefined, { value: [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }, 'text'] })
  expect(html).toContain('data:image/png;base64,AAAA')
  expect(html).toContain('text</pre>')
})

test('a command is shown with its prompt', () => {
  const shell: Call = { ...call, name: 'shell', args: { command: 'npm test\n  --all', cwd: '.' } }
  const html = renderToStaticMarkup(createElement(ToolCard, { call: shell, live: undefined, result: undefined }))
  expect(html).toContain('<span class="tool-gist">$ npm test --all</span>')
})
