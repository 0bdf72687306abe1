import { homedir } from 'node:os'
import { relative, resolve } from 'node:path'
import { analyzeCommand } from '../tools/analyze-command.ts'
import { globPattern } from '../tools/glob-pattern.ts'
import type { ClaudeCall } from './claude-tools.ts'

/** Matchers of `StopFailure` may be lists by `|` only. */
const narrow = /^[\w|]*$/
const wide = /^[\w\- ,|]*$/

/**
 * True where a matcher names a value: `*`, nothing or an empty text all of them, plain words exactly one of a list, anything else a regular
 * expression that matches somewhere. A matcher that is no regular expression matches nothing.
 */
export function matchesValue(matcher: string | undefined, value: string, event?: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true
  const isNarrow = event === 'StopFailure'
  if ((isNarrow ? narrow : wide).test(matcher))
    return matcher.split(isNarrow ? '|' : /[|,]/).some(name => name.trim() === value)
  try {
    return new RegExp(matcher).test(value)
  } catch {
    return false
  }
}

/** True where a call fits a rule of `if`: `Bash(git *)`, `Edit(*.ts)`, `WebFetch(domain:example.com)`. In doubt about a command it fits. */
export function matchesRule(rule: string, { tool, input }: ClaudeCall, root: string): boolean {
  const [, name, content] = /^([^()]+?)\s*(?:\(([\s\S]*)\))?$/.exec(rule.trim()) ?? []
  if (name === undefined || !matchesValue(/[*]/.test(name) ? starred(name) : name, tool)) return false
  if (content === undefined || content === '' || content === '*') return true
  const text = (member: string) => (typeof input[member] === 'string' ? (input[member] as string) : '')
  if (tool === 'Bash') return matchesCommand(content, text('command'))
  if (tool === 'WebFetch' && content.startsWith('domain:')) return hostOf(text('url')) === content.slice(7)
  if (fileTools.has(tool)) return matchesPath(content, text('file_path') || text('path') || root, root)
  const [first] = Object.values(input)
  return wildcard(content).test(typeof first === 'string' ? first : JSON.stringify(first ?? ''))
}

const fileTools: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'Glob', 'Grep', 'NotebookEdit'])
const starred = (name: string): string => `^${name.replace(/[.+?^$()|[\]\\{}]/g, '\\$&').replace(/\*/g, '.*')}$`

function wildcard(pattern: string): RegExp {
  const source = pattern.replace(/:\*$/, ' *').replace(/[.+?^$()|[\]\\{}]/g, '\\$&')
  return new RegExp(`^${source.replace(/ \*$/, '(?: .*)?').replace(/\*/g, '.*')}$`, 's')
}

/** Each command of the line counts. A pattern beyond the command's name also fits a line with expansions, and one that nobody can read. */
function matchesCommand(pattern: string, line: string): boolean {
  const parts = analyzeCommand(line)
  if (parts === 'unknown') return true
  const fits = wildcard(pattern)
  if (parts.some(part => fits.test(part.replace(/^(?:\w+=\S*\s+)+/, '')))) return true
  const isMore = /\s/.test(pattern.replace(/(?::| )\*$/, '').trim())
  return isMore && /[$`]/.test(line)
}

/** Rules for paths are like those of .gitignore: without a slash at any depth, else from the project; `//` is the file system's root. */
function matchesPath(pattern: string, given: string, root: string): boolean {
  const path = resolve(root, given)
  if (pattern.startsWith('//')) return globPattern(pattern.slice(1)).test(path)
  if (pattern.startsWith('~/')) return globPattern(resolve(homedir(), pattern.slice(2))).test(path)
  const anchored = pattern.replace(/^\.?\//, '')
  const isAnywhere = anchored === pattern && !pattern.includes('/')
  const inside = relative(root, path)
  const glob = globPattern(anchored)
  return glob.test(inside) || (isAnywhere && inside.split('/').some(part => glob.test(part)))
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}
