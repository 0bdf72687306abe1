import type { ParseArgsConfig } from 'node:util'

export interface ParsedCommand {
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly positionals: readonly string[]
}

/** Runs a command; gives the exit code. `all` is the table: a command that needs it cannot import what loads it. */
export type CommandFunction = (args: ParsedCommand, all: readonly Command[]) => Promise<number>

export interface Command {
  readonly name: string
  /** After the name: `ID [--format json|md]`. */
  readonly usage: string
  readonly summary: string
  readonly options?: NonNullable<ParseArgsConfig['options']>
  /** What each option does. */
  readonly help?: Readonly<Record<string, string>>
  readonly examples: readonly string[]
  /** Words that may come first: `hooks list`. */
  readonly words?: readonly string[]
  /** How many positionals, at least and at most. */
  readonly takes: readonly [least: number, most: number]
  load(): Promise<CommandFunction>
}

const model = { model: { type: 'string', short: 'm' } } as const
const resuming = { conversation: { type: 'string', short: 'c' }, continue: { type: 'boolean' } } as const
const modelHelp = { model: 'provider/model, or offline' }
const resumingHelp = { conversation: 'go on in this conversation', continue: 'go on in the newest one' }

/** Every command, without what it needs to run: `--help` and `--version` load nothing else. */
export const commandTable: readonly Command[] = [
  {
    name: 'chat',
    usage: '[--model M] [--conversation ID] [--continue]',
    summary: 'talk in the terminal',
    options: { ...model, ...resuming },
    help: { ...modelHelp, ...resumingHelp },
    examples: ['turnbuckle chat', 'turnbuckle chat --continue', 'echo "list files" | turnbuckle chat --model offline'],
    takes: [0, 0],
    load: async () => (await import('./commands/chat-command.ts')).chatCommand,
  },
  {
    name: 'run',
    usage: '"PROMPT" [--json] [--yes|--deny]',
    summary: 'one turn without a terminal; exit 0 completed, 1 failed, 2 bad usage, 3 stopped, 130 interrupted',
    options: { ...model, ...resuming, json: { type: 'boolean' }, yes: { type: 'boolean' }, deny: { type: 'boolean' } },
    help: {
      ...modelHelp,
      ...resumingHelp,
      json: 'print one event a line',
      yes: 'allow what would be asked',
      deny: 'deny what would be asked (the default)',
    },
    examples: [
      'turnbuckle run "read README.md"',
      'turnbuckle run "run the tests" --yes --json',
      'git diff | turnbuckle run -',
    ],
    takes: [0, 1],
    load: async () => (await import('./commands/run-command.ts')).runCommand,
  },
  {
    name: 'serve',
    usage: '[--port P] [--host H]',
    summary: 'server and web app; port 0 picks a free one',
    options: { ...model, port: { type: 'string', short: 'p' }, host: { type: 'string' } },
    help: { ...modelHelp, port: '4270 by default', host: '127.0.0.1 by default' },
    examples: ['turnbuckle serve', 'turnbuckle serve --port 0'],
    takes: [0, 0],
    load: async () => (await import('./commands/serve-command.ts')).serveCommand,
  },
  {
    name: 'list',
    usage: '[--limit N] [--json]',
    summary: 'conversations, newest first',
    options: { limit: { type: 'string', short: 'n' }, json: { type: 'boolean' } },
    help: { limit: '20 by default', json: 'one conversation a line' },
    examples: ['turnbuckle list', 'turnbuckle list --limit 5 --json'],
    takes: [0, 0],
    load: async () => (await import('./commands/list-command.ts')).listCommand,
  },
  {
    name: 'show',
    usage: 'ID',
    summary: 'the messages of a conversation, up to its head',
    examples: ['turnbuckle show conv_3f2a'],
    takes: [1, 1],
    load: async () => (await import('./commands/show-command.ts')).showCommand,
  },
  {
    name: 'tree',
    usage: 'ID',
    summary: 'every branch of a conversation',
    examples: ['turnbuckle tree conv_3f2a'],
    takes: [1, 1],
    load: async () => (await import('./commands/tree-command.ts')).treeCommand,
  },
  {
    name: 'export',
    usage: 'ID [--format json|md]',
    summary: 'a conversation as a file, on standard output',
    options: { format: { type: 'string', short: 'f' } },
    help: { format: 'json (every branch, the default) or md (the path to the head)' },
    examples: ['turnbuckle export conv_3f2a > talk.json', 'turnbuckle export conv_3f2a --format md'],
    takes: [1, 1],
    load: async () => (await import('./commands/export-command.ts')).exportCommand,
  },
  {
    name: 'import',
    usage: 'FILE',
    summary: 'a conversation from a file that export has written, json or md',
    examples: ['turnbuckle import talk.json'],
    takes: [1, 1],
    load: async () => (await import('./commands/import-command.ts')).importCommand,
  },
  {
    name: 'delete',
    usage: 'ID',
    summary: 'delete a conversation',
    examples: ['turnbuckle delete conv_3f2a'],
    takes: [1, 1],
    load: async () => (await import('./commands/delete-command.ts')).deleteCommand,
  },
  {
    name: 'explain',
    usage: 'TURN',
    summary: 'who decided what in a turn',
    examples: ['turnbuckle explain last', 'turnbuckle explain turn_9c1d'],
    takes: [1, 1],
    load: async () => (await import('./commands/explain-command.ts')).explainCommand,
  },
  {
    name: 'trace',
    usage: 'TURN [--json]',
    summary: 'what happened when in a turn: stages, hooks, what each returned and cost',
    options: { json: { type: 'boolean' } },
    help: { json: 'one span a line' },
    examples: ['turnbuckle trace last', 'turnbuckle trace turn_9c1d'],
    takes: [1, 1],
    load: async () => (await import('./commands/trace-command.ts')).traceCommand,
  },
  {
    name: 'replay',
    usage: 'TURN --with MODULE…',
    summary: 'a recorded turn with other middleware; exit 0 same, 1 different decision, 3 diverged',
    options: { with: { type: 'string', multiple: true } },
    help: { with: "a module's path, or a name such as circuit-breaker; may be repeated" },
    examples: ['turnbuckle replay last --with ./hooks/stricter.ts', 'turnbuckle replay turn_9c1d --with dry-run'],
    takes: [1, 20],
    load: async () => (await import('./commands/replay-command.ts')).replayCommand,
  },
  {
    name: 'hooks',
    usage: 'list|enable NAME|disable NAME|trust',
    summary: 'middleware of the settings',
    options: { yes: { type: 'boolean' } },
    help: { yes: 'trust without being asked' },
    examples: ['turnbuckle hooks list', 'turnbuckle hooks disable step-limit', 'turnbuckle hooks trust'],
    words: ['list', 'enable', 'disable', 'trust'],
    takes: [1, 2],
    load: async () => (await import('./commands/hooks-command.ts')).hooksCommand,
  },
  {
    name: 'permissions',
    usage: 'list|revoke ID',
    summary: 'what you have allowed or forbidden for longer',
    examples: ['turnbuckle permissions list', 'turnbuckle permissions revoke grant_71b2'],
    words: ['list', 'revoke'],
    takes: [1, 2],
    load: async () => (await import('./commands/permissions-command.ts')).permissionsCommand,
  },
  {
    name: 'mcp',
    usage: '',
    summary: "serve this agent's tools to an MCP client, on standard input and output",
    options: { yes: { type: 'boolean' } },
    help: { yes: 'allow what would be asked' },
    examples: ['turnbuckle mcp'],
    takes: [0, 0],
    load: async () => (await import('./commands/mcp-command.ts')).mcpCommand,
  },
  {
    name: 'doctor',
    usage: '',
    summary: 'what is set up, what is missing, how to fix it',
    examples: ['turnbuckle doctor'],
    takes: [0, 0],
    load: async () => (await import('./commands/doctor-command.ts')).doctorCommand,
  },
  {
    name: 'completion',
    usage: 'bash|zsh|fish',
    summary: 'completion for your shell',
    examples: [
      'turnbuckle completion bash >> ~/.bashrc',
      'turnbuckle completion fish > ~/.config/fish/completions/turnbuckle.fish',
    ],
    words: ['bash', 'zsh', 'fish'],
    takes: [1, 1],
    load: async () => (await import('./commands/completion-command.ts')).completionCommand,
  },
]
