import { join } from 'node:path'
import { type ClaudeFolders, claudeHome } from './claude-folders.ts'
import { readFrontMatter } from './front-matter.ts'
import { headHooks } from './head-hooks.ts'
import type { ClaudeHookSource } from './hook-source.ts'
import { markdownFiles } from './markdown-files.ts'

/** A slash command of Claude Code: a prompt in a file. */
export interface ClaudeCommand {
  /** `git:commit` for `commands/git/commit.md`. */
  readonly name: string
  /** What it does, in a line. */
  readonly description: string
  /** The arguments it wants, for a menu. */
  readonly argumentHint?: string
  /** Names of arguments, for `$name`. */
  readonly argumentNames: readonly string[]
  /** The text below its head. */
  readonly prompt: string
  /** Whose file it is. */
  readonly from: 'user' | 'project'
  /** The hooks in its head, which run from the turn that it is said in. */
  readonly hooks?: ClaudeHookSource
}

/** The commands of `.claude/commands` and of the user; a user's goes before the project's of its name. */
export function claudeCommands({
  root = process.cwd(),
  home = claudeHome(),
}: ClaudeFolders = {}): readonly ClaudeCommand[] {
  const own = home === false ? [] : readCommands(join(home, 'commands'), home, 'user')
  const names = new Set(own.map(({ name }) => name))
  const foreign = readCommands(join(root, '.claude', 'commands'), root, 'project')
  return [...own, ...foreign.filter(({ name }) => !names.has(name))]
}

const readCommands = (folder: string, within: string, from: ClaudeCommand['from']): readonly ClaudeCommand[] =>
  markdownFiles(folder, within).map(({ name: file, path, text }) => {
    const { fields, hooks, body } = readFrontMatter(text)
    const hint = fields['argument-hint']
    const named = fields.arguments
    const [first = ''] = body.split('\n')
    const name = file.replaceAll('/', ':')
    return {
      name,
      description: String(fields.description ?? first.replace(/^#+\s*/, '')),
      ...(hint === undefined ? {} : { argumentHint: String(hint) }),
      argumentNames: typeof named === 'string' ? named.split(/\s+/) : (named ?? []),
      prompt: body,
      from,
      ...headHooks(hooks, { of: { kind: 'command', name }, from, path, within }),
    }
  })

/**
 * The prompt of a command with its arguments: `$ARGUMENTS` all of them, `$ARGUMENTS[0]`, `$0` and `$name` one, quoted as in a shell. A prompt
 * that names none has them at its end. `\$` is a dollar. Commands in `` !`…` `` stay text: the model runs them, where it may.
 */
export function fillClaudeCommand({ prompt, argumentNames }: ClaudeCommand, given: string): string {
  const words = (given.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map(word => word.replace(/^(["'])(.*)\1$/s, '$2'))
  const nameless = argumentNames.map(name => name.replace(/\W/g, '')).filter(Boolean)
  const names = nameless.length ? `|${nameless.join('|')}` : ''
  let hasAll = false
  const filled = prompt.replace(
    new RegExp(`(\\\\?)\\$(ARGUMENTS(?:\\[(\\d+)\\])?|\\d+${names})(?!\\w)`, 'g'),
    (whole, escaped: string, token: string, index: string | undefined) => {
      if (escaped) return whole.slice(1)
      if (token === 'ARGUMENTS') {
        hasAll = true
        return given
      }
      const named = nameless.indexOf(token)
      if (named >= 0) return words[named] ?? ''
      return words[Number(index ?? token)] ?? whole
    },
  )
  return hasAll || given === '' || filled !== prompt ? filled : `${filled}\n\nARGUMENTS: ${given}`
}
