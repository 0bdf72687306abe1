import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClaudeFileCommand } from '../../compose/claude-code.ts'
import { leadsOutside } from '../../settings/leads-outside.ts'
import type { LoadedSettings } from '../../settings/load-settings.ts'
import { contentHash, type TrustItem } from '../../settings/trust-file.ts'
import { oneLine } from '../../text/one-line.ts'

/** A slash command from a Markdown file: its text is what is said. */
export interface OwnCommand {
  readonly name: `/${string}`
  readonly does: string
  /** `$ARGUMENTS` stands for what follows the name. */
  readonly prompt: string
  /** Has to be trusted before it is said; undefined for the user's own. */
  readonly item?: TrustItem
  /** The text to say with what follows the name, where the file is Claude Code's. */
  readonly fill?: (rest: string) => string
  /** The command's name in Claude Code: hooks in its head run from the turn that it is said in. */
  readonly claudeName?: string
}

/**
 * Commands of the user, then of the project in `.turnbuckle/commands`, then those of Claude Code where they count; the first of a name
 * counts, and a user's goes before a project's.
 */
export function ownCommands(
  { root, home }: Pick<LoadedSettings, 'root' | 'home'>,
  claudeCommands: () => readonly ClaudeFileCommand[] = () => [],
): readonly OwnCommand[] {
  const folder = join('.turnbuckle', 'commands')
  const foreign = readFolder(join(root, folder), file => !leadsOutside(root, join(folder, file)))
  const claude = claudeCommands().map(fromClaude)
  const all = [
    ...readFolder(join(home, 'commands')),
    ...claude.filter(({ item }) => !item),
    ...foreign.map(command => ({ ...command, item: trustItem(command) })),
    ...claude.filter(({ item }) => item),
  ]
  return all.filter(({ name }, i) => all.findIndex(other => other.name === name) === i)
}

function fromClaude({ name: plain, description, prompt, from, fill }: ClaudeFileCommand): OwnCommand {
  const name = `/${plain}` as const
  const own = { name, does: oneLine(description, 60), prompt, fill, claudeName: plain }
  return from === 'user' ? own : { ...own, item: trustItem(own) }
}

const trustItem = ({ name, prompt }: OwnCommand): TrustItem => ({
  kind: 'command',
  name,
  does: 'is said to the model in your name',
  hash: contentHash(prompt),
})

/** `isRead`: says no to a link that leads out of the project. */
function readFolder(folder: string, isRead: (file: string) => boolean = () => true): readonly OwnCommand[] {
  try {
    return readdirSync(folder)
      .filter(file => /^[a-z][\w-]*\.md$/i.test(file) && isRead(file))
      .sort()
      .map(file => readCommand(file, readFileSync(join(folder, file), 'utf8')))
  } catch {
    return []
  }
}

/** `description` in the front matter says what a command does; else its first line does. */
function readCommand(file: string, text: string): OwnCommand {
  const [whole = '', front = ''] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text) ?? []
  const prompt = text.slice(whole.length).trim()
  const described = /^description:\s*(.+)$/m.exec(front)?.[1]?.replace(/^(["'])(.*)\1$/, '$2')
  const [first = ''] = prompt.split('\n')
  return { name: `/${file.slice(0, -3)}`, does: oneLine(described ?? first, 60), prompt }
}

/** The text to say: `$ARGUMENTS` replaced, or what follows the name added at the end. */
export function filledPrompt({ prompt, fill }: OwnCommand, rest: string): string {
  if (fill) return fill(rest)
  return prompt.includes('$ARGUMENTS')
    ? prompt.replaceAll('$ARGUMENTS', () => rest)
    : [prompt, rest].filter(Boolean).join('\n\n')
}
