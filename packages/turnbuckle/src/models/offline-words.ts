import type { ResultPart } from '../core/base/message.ts'
import type { ToolSpec } from '../core/base/ports.ts'

/** An example request for each tool. */
const tries: Readonly<Record<string, string>> = {
  read_file: 'read README.md',
  list_files: 'list files',
  search_files: 'search for bread',
  write_file: 'write notes.txt: buy bread',
  edit_file: 'replace bread with cake in notes.txt',
  shell: 'run date',
  fetch_url: 'fetch https://example.com',
  calculate: 'what is 17*23',
  wait: 'wait 5 seconds',
  fail: 'fail',
  ask: 'ask me',
}

/** Says what the offline model is, and what one can try with the tools that are there. */
export function introduction(tools: readonly ToolSpec[]): string {
  const known = tools.map(({ name }) => name).filter(name => name in tries)
  const others = known.length ? [] : tools.slice(0, 3)
  const lines = [...known.map(name => `- ${tries[name]}`), ...others.map(each => `- ${callInWords(each)}`)]
  const several = known.length > 1 ? [`- ${tries[known[0] as string]} and ${tries[known[1] as string]}`] : []
  return [
    'I am the offline model: a script, not an AI. I need no key and no network, and I use the real tools when you ask for them in plain words. Try:',
    [...lines, ...several, '- count to 20'].join('\n'),
    ...(tools.length ? [] : ['This agent has no tools, so talking is all I can do.']),
  ].join('\n\n')
}

/** An example request for a tool that plain words do not know: its name, and arguments of the right types. */
function callInWords({ name, schema }: ToolSpec): string {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, { readonly type?: unknown }>> }
  const args = Object.entries(properties).map(([key, { type }]) => [key, samples[String(type)] ?? null])
  return `${name} ${JSON.stringify(Object.fromEntries(args))}`
}
const samples: Readonly<Record<string, unknown>> = {
  string: 'a',
  number: 1,
  integer: 1,
  boolean: true,
  array: [],
  object: {},
}

export const missing = (name: string): string =>
  `For that I would use the tool ${name}, which this agent does not have.`

export const notUnderstood = (text: string): string => `I do not understand "${text.slice(0, 80)}".`

const failed: Readonly<Record<string, string>> = {
  error: 'did not work',
  blocked: 'was blocked',
  denied: 'was not allowed',
  interrupted: 'was interrupted',
  timeout: 'took too long',
  unknown: 'may or may not have run',
}

/** A result in plain words. */
export function summary({ name, status, value }: ResultPart, args: unknown): string {
  if (status !== 'ok') return `${name} ${failed[status] ?? status}: ${plain(value)}`
  const { path, expression, pattern, command, url, seconds } = (args ?? {}) as Readonly<Record<string, unknown>>
  switch (name) {
    case 'calculate':
      return `${expression} is ${plain(value)}.`
    case 'wait':
      return `I waited ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
    case 'ask':
      return `You answered: ${plain(value)}`
    case 'read_file':
      return `${path} says:\n\n${block(value)}`
    case 'list_files':
      return `Here is what there is${path ? ` in ${path}` : ''}:\n\n${block(value)}`
    case 'search_files':
      return `What I found for "${pattern}":\n\n${block(value)}`
    case 'shell':
      return `${command} gave:\n\n${block(value)}`
    case 'fetch_url':
      return `${url} gave:\n\n${block(value)}`
    default:
      return `${name} gave: ${plain(value)}`
  }
}

const longest = 1200

function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > longest ? `${text.slice(0, longest)}... (${text.length} characters in all)` : text
}

/** Fenced, with a fence longer than any inside. */
function block(value: unknown): string {
  const text = typeof value === 'string' ? plain(value) : plain(JSON.stringify(value, undefined, 2))
  const inside = text.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...inside.map(run => run.length + 1)))
  return `${fence}\n${text.trimEnd()}\n${fence}`
}
