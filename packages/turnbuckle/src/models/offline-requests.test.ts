import { expect, test } from 'vitest'
import { readRequests } from './offline-requests.ts'

const one = (tool: string, args: object = {}) => [{ tool, args }]

test.each([
  ['read README.md', one('read_file', { path: 'README.md' })],
  ['Please show me the file "a b.txt".', one('read_file', { path: 'a b.txt' })],
  ['list files', one('list_files')],
  ['List the files here', one('list_files')],
  ['What is 17 × 23?', one('calculate', { expression: '17 × 23' })],
  ['List the files in src?', one('list_files', { path: 'src' })],
  ['ls docs', one('list_files', { path: 'docs' })],
  ['what files are here?', one('list_files')],
  ['search for salt and pepper in src', one('search_files', { pattern: 'salt and pepper', path: 'src' })],
  ['write a.txt: bread and butter', one('write_file', { path: 'a.txt', content: 'bread and butter' })],
  ['write "two words" to b.txt', one('write_file', { path: 'b.txt', content: 'two words' })],
  ['replace "old text" with new in a.txt', one('edit_file', { path: 'a.txt', find: 'old text', replace: 'new' })],
  ['run ls -la and more', one('shell', { command: 'ls -la and more' })],
  ['fetch https://example.com/x', one('fetch_url', { url: 'https://example.com/x' })],
  ['what is 17*23', one('calculate', { expression: '17*23' })],
  ['What is sqrt(2) + 1?', one('calculate', { expression: 'sqrt(2) + 1' })],
  ['3 + 4', one('calculate', { expression: '3 + 4' })],
  ['wait 5 seconds', one('wait', { seconds: 5 })],
  ['wait 2 minutes', one('wait', { seconds: 120 })],
  ['wait 500 ms', one('wait', { seconds: 0.5 })],
  ['wait 3', one('wait', { seconds: 3 })],
  ['fail', one('fail')],
  ['fail with no luck', one('fail', { message: 'no luck' })],
  ['plan: write it, then test it', one('present_plan', { plan: 'write it, then test it' })],
  ['ask me', one('ask')],
  ['ask me: how are you', one('ask', { question: 'how are you' })],
  ['refund {"order": "A7", "euros": 20}', one('refund', { order: 'A7', euros: 20 })],
  ['Please use search {"for": "salt and pepper"}.', one('search', { for: 'salt and pepper' })],
  ['run {"a"}', one('shell', { command: '{"a"}' })],
  ['refund {all of it}', ['refund {all of it}']],
  ['hello there', ['hello there']],
  ['what is love', ['what is love']],
])('"%s" is understood', (text, wishes) => {
  expect(readRequests(text)).toEqual(wishes)
})

test.each([
  'read a.txt and list files',
  'read a.txt; list files',
  'read a.txt\nlist files',
  'read a.txt, then list files',
  'Please read a.txt and then list files.',
])('"%s" is two requests', text => {
  expect(readRequests(text)).toEqual([...one('read_file', { path: 'a.txt' }), ...one('list_files')])
})
