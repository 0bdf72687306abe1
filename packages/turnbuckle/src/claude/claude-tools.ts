import { isAbsolute, relative, resolve } from 'node:path'
import { isRecord } from './hook-handler.ts'

/** A tool call under Claude's names. */
export interface ClaudeCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

type Fields = Readonly<Record<string, unknown>>

/** A tool under both names. Members that a row does not name pass unchanged. */
interface ToolRow {
  readonly claude: string
  readonly ours: string
  /** Claude's member for each of ours. */
  readonly members: Readonly<Record<string, string>>
  /** Members of ours that are paths: Claude's are absolute. */
  readonly paths?: readonly string[]
  /** The result as Claude's tool gives it. */
  response(text: string, input: Fields): unknown
  /** The text in a result of Claude's form; nothing where it has not that form. */
  textOf(response: Fields): string | undefined
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const rows: readonly ToolRow[] = [
  {
    claude: 'Bash',
    ours: 'shell',
    members: { command: 'command', timeout: 'timeout', cwd: 'cwd' },
    response: text => ({ stdout: text, stderr: '', interrupted: false, isImage: false }),
    textOf: ({ stdout, stderr }) =>
      typeof stdout === 'string' ? [stdout, asText(stderr)].filter(Boolean).join('\n') : undefined,
  },
  {
    claude: 'Read',
    ours: 'read_file',
    members: { path: 'file_path', from: 'offset', lines: 'limit' },
    paths: ['path'],
    response: (text, { file_path: filePath, offset = 1 }) => {
      const lines = text.split('\n').length
      return { type: 'text', file: { filePath, content: text, numLines: lines, startLine: offset, totalLines: lines } }
    },
    textOf: ({ file }) => (isRecord(file) ? asText(file.content) : undefined),
  },
  {
    claude: 'Write',
    ours: 'write_file',
    members: { path: 'file_path', content: 'content' },
    paths: ['path'],
    response: (text, { file_path: filePath, content }) => ({ filePath, success: true, content, diff: text }),
    textOf: ({ diff }) => asText(diff),
  },
  {
    claude: 'Edit',
    ours: 'edit_file',
    members: { path: 'file_path', old: 'old_string', new: 'new_string', all: 'replace_all' },
    paths: ['path'],
    response: (text, { file_path: filePath, old_string: oldString, new_string: newString, replace_all = false }) => ({
      filePath,
      oldString,
      newString,
      replaceAll: replace_all,
      diff: text,
    }),
    textOf: ({ diff }) => asText(diff),
  },
  {
    claude: 'Glob',
    ours: 'list_files',
    members: { pattern: 'pattern', path: 'path', depth: 'depth' },
    paths: ['path'],
    response: text => {
      const filenames = text.split('\n').filter(line => line !== '' && !line.startsWith('['))
      return { filenames, numFiles: filenames.length, truncated: /\[more than \d/.test(text) }
    },
    textOf: ({ filenames }) => (Array.isArray(filenames) ? filenames.join('\n') : undefined),
  },
  {
    claude: 'Grep',
    ours: 'search_files',
    members: { pattern: 'pattern', path: 'path', glob: 'glob', ignoreCase: '-i', literal: 'literal' },
    paths: ['path'],
    response: text => {
      const found = text === '[nothing]' ? '' : text
      const names = found.split('\n').flatMap(line => /^(.+?):\d+: /.exec(line)?.[1] ?? [])
      const filenames = [...new Set(names)]
      return { mode: 'content', content: found, filenames, numFiles: filenames.length }
    },
    textOf: ({ content }) => asText(content),
  },
  {
    claude: 'WebFetch',
    ours: 'fetch_url',
    members: { url: 'url' },
    response: (text, { url }) => ({ url, code: 200, result: text, bytes: text.length }),
    textOf: ({ result }) => asText(result),
  },
  {
    claude: 'Skill',
    ours: 'skill',
    members: { name: 'skill' },
    response: text => ({ success: true, result: text }),
    textOf: ({ result }) => asText(result),
  },
]

const byOurs = new Map(rows.map(row => [row.ours, row]))
const byClaude = new Map(rows.map(row => [row.claude, row]))

/** The prefix of the tools that `claudeAgents` makes. */
export const agentPrefix = 'agent_'

/** Claude's name for a tool of ours: `Bash` for `shell`, `mcp__github__search` for `github__search`. Others keep theirs. */
export function claudeToolName(ours: string): string {
  const row = byOurs.get(ours)
  if (row) return row.claude
  if (ours.startsWith(agentPrefix)) return 'Agent'
  return /^[\w-]+?__/.test(ours) && !ours.startsWith('mcp__') ? `mcp__${ours}` : ours
}

/** Our names for a tool of Claude's; several or none are possible. */
export function ourToolNames(claude: string): readonly string[] {
  const row = byClaude.get(claude)
  return row ? [row.ours] : [claude.startsWith('mcp__') ? claude.slice(5) : claude]
}

/** A call as Claude's hooks see it. Paths are absolute. */
export function asClaudeCall(name: string, args: unknown, root: string): ClaudeCall {
  const given = isRecord(args) ? args : {}
  const row = byOurs.get(name)
  const tool = claudeToolName(name)
  if (tool === 'Agent') {
    const { task, ...rest } = given
    return { tool, input: { prompt: task, subagent_type: name.slice(agentPrefix.length), ...rest } }
  }
  if (!row) return { tool, input: given }
  const entries = Object.entries(given).map(([member, value]) => [
    row.members[member] ?? member,
    row.paths?.includes(member) && typeof value === 'string' ? resolve(root, value) : value,
  ])
  return { tool, input: Object.fromEntries(entries) }
}

/** The arguments of a call whose input a hook has replaced. Members of Claude's tool that ours has not are left out. */
export function ourArguments(name: string, input: Fields, root: string): Fields {
  if (claudeToolName(name) === 'Agent') return { task: input.prompt }
  const row = byOurs.get(name)
  if (!row) return input
  const entries = Object.entries(row.members).flatMap(([ours, theirs]) => {
    const value = input[theirs]
    if (value === undefined) return []
    return [[ours, row.paths?.includes(ours) && typeof value === 'string' ? inProject(root, value) : value]]
  })
  return Object.fromEntries(entries)
}

/** Relative to the project where it is inside; as it is elsewhere, where the tool refuses it. */
function inProject(root: string, path: string): string {
  const inside = relative(root, resolve(root, path))
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside || '.'
}

/** A result as Claude's hooks see it. */
export function asClaudeResponse(name: string, value: unknown, input: Fields): unknown {
  const row = byOurs.get(name)
  if (row && typeof value === 'string') return row.response(value, input)
  if (claudeToolName(name) === 'Agent' && typeof value === 'string')
    return { status: 'completed', content: [{ type: 'text', text: value }] }
  return value
}

/** The value of a result that a hook has replaced; `undefined` where it has not the form of that tool's results. */
export function ourResult(name: string, response: unknown): unknown {
  const row = byOurs.get(name)
  if (!row) return response
  return isRecord(response) ? row.textOf(response) : undefined
}

/** The exit code of a command that failed, where a result of `shell` tells one. */
export const exitCodeOf = (name: string, value: unknown): string | undefined =>
  name === 'shell' && typeof value === 'string' ? /\n\[exit code ([^\]]+)\]$/.exec(value)?.[1] : undefined
