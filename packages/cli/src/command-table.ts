/** An option of a command. `--help` shows `does`, and `value` in the place of the text that the option takes. */
export type CommandOption =
  | { readonly type: 'boolean'; readonly does: string }
  | {
      readonly type: 'string'
      readonly short?: string
      readonly multiple?: boolean
      readonly value: string
      readonly does: string
    }

export interface ParsedCommand {
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly positionals: readonly string[]
}

/**
 * Runs a command; gives the exit code. `table` is handed in because a command must not import the table that loads it.
 */
export type CommandFunction = (args: ParsedCommand, table: readonly Command[]) => Promise<number>

/** A row of the table. Parsing, `--help` and shell completion read nothing else, so every column has to be filled. */
export interface Command {
  readonly name: string
  /** Follows the name in the help: `ID [--format json|md]`. */
  readonly usage: string
  readonly summary: string
  readonly options: Readonly<Record<string, CommandOption>>
  readonly examples: readonly string[]
  /** Words that may come first: `hooks list`. Empty: any word may. */
  readonly words: readonly string[]
  /** Number of positionals, at least and at most. */
  readonly takes: readonly [least: number, most: number]
  /** True when a shell shall complete file names after the command. */
  readonly takesFile: boolean
  load(): Promise<CommandFunction>
}

const model: Command['options'] = {
  model: { type: 'string', short: 'm', value: 'M', does: 'provider/model, or offline' },
}
const resuming: Command['options'] = {
  conversation: { type: 'string', short: 'c', value: 'ID', does: 'go on in this conversation' },
  continue: { type: 'boolean', does: 'go on in the newest one' },
}

/** Every command, without what it needs to run: `--help` and `--version` load nothing else. */
export const commandTable: readonly Command[] = [
  {
    name: 'chat',
    usage: '[--model M] [--conversation ID] [--continue] [--plain]',
    summary: 'talk in the terminal',
    options: {
      ...model,
      ...resuming,
      plain: { type: 'boolean', does: 'for screen readers: nothing is redrawn, every state is said in words' },
    },
    examples: ['turnbuckle chat', 'turnbuckle chat --continue', 'echo "list files" | turnbuckle chat --model offline'],
    words: [],
    takes: [0, 0],
    takesFile: false,
    load: async () => (await import('./commands/chat-command.ts')).chatCommand,
  },
  {
    name: 'run',
    usage: '"PROMPT" [--json] [--yes|--deny]',
    summary: 'one turn without a terminal; exit 0 completed, 1 failed, 2 bad usage, 3 stopped, 130 interrupted',
    options: {
      ...model,
      ...resuming,
      json: { type: 'boolean', does: 'print one event a line' },
      yes: { type: 'boolean', does: 'allow what would be asked' },
      deny: { type: 'boolean', does: 'deny what would be asked (the default)' },
    },
    examples: [
      'turnbuckle run "read README.md"',
      'turnbuckle run "run the tests" --yes --json',
      'git diff | turnbuckle run -',
    ],
    words: [],
    takes: [0, 1],
    takesFile: false,
    load: async () => (await import('./commands/run-command.ts')).runCommand,
  },
  {
    name: 'setup',
    usage: '',
    summary: 'connect a model: asks for provider and key, tries them, keeps them in your folder',
    options: {},
    examples: ['turnbuckle setup'],
    words: [],
    takes: [0, 0],
    takesFile: false,
    load: async () => (await import('./commands/setup-command.ts')).setupCommand,
  },
  {
    name: 'serve',
    usage: '[--port P] [--host H]',
    summary: 'server and web app; port 0 picks a free one',
    options: {
      ...model,
      port: { type: 'string', short: 'p', value: 'P', does: '4270 by default' },
      host: { type: 'string', value: 'H', does: '127.0.0.1 by default' },
    },
    examples: ['turnbuckle serve', 'turnbuckle serve --port 0'],
    words: [],
    takes: [0, 0],
    takesFile: false,
    load: async () => (await import('./commands/serve-command.ts')).serveCommand,
  },
  {
    name: 'list',
    usage: '[--limit N] [--json]',
    summary: 'conversations, newest first',
    options: {
      limit: { type: 'string', short: 'n', value: 'N', does: '20 by default' },
      json: { type: 'boolean', does: 'one conversation a line' },
    },
    examples: ['turnbuckle list', 'turnbuckle list --limit 5 --json'],
    words: [],
    takes: [0, 0],
    takesFile: false,
    load: async () => (await import('./commands/list-command.ts')).listCommand,
  },
  {
    name: 'show',
    usage: 'ID',
    summary: 'the messages of a conversation, up to its head',
    options: {},
    examples: ['turnbuckle show conv_3f2a'],
    words: [],
    takes: [1, 1],
    takesFile: false,
    load: async () => (await import('./commands/show-command.ts')).showCommand,
  },
  {
    name: 'tree',
    usage: 'ID',
    summary: 'every branch of a conversation',
    options: {},
    examples: ['turnbuckle tree conv_3f2a'],
    words: [],
    takes: [1, 1],
    takesFile: false,
    load: async () => (await import('./commands/tree-command.ts')).treeCommand,
  },
  {
    name: 'export',
    usage: 'ID [--format json|md]',
    summary: 'a conversation as a file, on standard output',
    options: {
      format: {
        type: 'string',
        short: 'f',
        value: 'json|md',
        does: 'json (every branch, the default) or md (the path to the head)',
      },
    },
    examples: ['turnbuckle export conv_3f2a > talk.json', 'turnbuckle export conv_3f2a --format md'],
    words: [],
    takes: [1, 1],
    takesFile: false,
    load: async () => (await import('./commands/export-command.ts')).exportCommand,
  },
  {
    name: 'import',
    usage: 'FILE',
    summary: 'a conversation from a file that export has written, json or md',
    options: {},
    examples: ['turnbuckle import talk.json'],
    words: [],
    takes: [1, 1],
    takesFile: true,
    load: async () => (await import('./commands/import-command.ts')).importCommand,
  },
  {
    name: 'delete',
    usage: 'ID [--yes]',
    summary: 'delete a conversation',
    options: { yes: { type: 'boolean', does: 'without asking' } },
    examples: ['turnbuckle delete conv_3f2a', 'turnbuckle delete conv_3f2a --yes'],
    words: [],
    takes: [1, 1],
    takesFile: false,
    load: async () => (await import('./commands/delete-command.ts')).deleteCommand,
  },
  {
    name: 'explain',
    usage: 'TURN',
    summary: 'who decided what in a turn',
    options: {},
    examples: ['turnbuckle explain last', 'turnbuckle explain turn_9c1d'],
    words: [],
    takes: [1, 1],
    takesFile: false,
    load: async () => (await import('./commands/explain-command.ts')).explainCommand,
  },
  {
    name: 'trace',
    usage: 'TURN [--json]',
    summary: 'what happened when in a turn: stages, hooks, what each returned and cost',
    options: { json: { type: 'boolean', does: 'one span a line' } },
    examples: ['turnbuckle trace last', 'turnbuckle trace turn_9c1d'],
    words: [],
    takes: [1, 1],
    takesFile: false,
    load: async () => (await import('./commands/trace-command.ts')).traceCommand,
  },
  {
    name: 'eval',
    usage: '[TASK…] [--model M…] [--set NAME=MODULE,…] --yes',
    summary: 'twenty small coding tasks, judged by their tests: models and sets of middleware side by side',
    options: {
      model: {
        type: 'string',
        short: 'm',
        multiple: true,
        value: 'M',
        does: 'provider/model, or a module that exports a model; again for another column',
      },
      set: {
        type: 'string',
        multiple: true,
        value: 'NAME=A,B',
        does: 'middleware by name or module; again for another column, "plain" for none',
      },
      yes: { type: 'boolean', does: 'the model runs commands in temporary folders without asking' },
      list: { type: 'boolean', does: 'show the tasks and end' },
      runs: { type: 'string', value: 'N', does: 'how often each is tried; 1 by default' },
      steps: { type: 'string', value: 'N', does: 'the most steps of a task; 30 by default' },
      seconds: { type: 'string', value: 'N', does: 'the longest a task may take; 300 by default' },
      parallel: { type: 'string', value: 'N', does: 'tasks at once; 1 by default' },
      keep: { type: 'boolean', does: 'leave the folders, and name them' },
      json: { type: 'boolean', does: 'one outcome a line' },
    },
    examples: [
      'turnbuckle eval --list',
      'turnbuckle eval --model anthropic/claude-sonnet-5-5 --model openai/gpt-5 --yes',
      'turnbuckle eval csv retry --set plain --set careful=todo,./critic.ts --yes',
    ],
    words: [],
    takes: [0, 20],
    takesFile: false,
    load: async () => (await import('./commands/eval-command.ts')).evalCommand,
  },
  {
    name: 'replay',
    usage: 'TURN|--all --with MODULE… [--without NAME] [--html FILE]',
    summary: 'recorded turns with other middleware; exit 0 same, 1 different, 2 not replayed, 3 diverged',
    options: {
      with: {
        type: 'string',
        multiple: true,
        value: 'MODULE',
        does: "a module's path, or a name such as circuit-breaker; in the place of the agent's of that name; may be repeated",
      },
      without: { type: 'string', multiple: true, value: 'NAME', does: "leave out one of the agent's; may be repeated" },
      all: { type: 'boolean', does: 'every turn of the store; the worst outcome counts' },
      html: { type: 'string', value: 'FILE', does: 'with --all: a page to read' },
    },
    examples: [
      'turnbuckle replay last --with ./hooks/stricter.ts',
      'turnbuckle replay --all --with ./hooks/stricter.ts --html report.html',
      'turnbuckle replay --all --without approval',
    ],
    words: [],
    takes: [0, 20],
    takesFile: true,
    load: async () => (await import('./commands/replay-command.ts')).replayCommand,
  },
  {
    name: 'hooks',
    usage: 'list|enable NAME|disable NAME|trust',
    summary: 'middleware of the settings',
    options: { yes: { type: 'boolean', does: 'trust without being asked' } },
    examples: ['turnbuckle hooks list', 'turnbuckle hooks disable step-limit', 'turnbuckle hooks trust'],
    words: ['list', 'enable', 'disable', 'trust'],
    takes: [1, 2],
    takesFile: false,
    load: async () => (await import('./commands/hooks-command.ts')).hooksCommand,
  },
  {
    name: 'permissions',
    usage: 'list|revoke ID',
    summary: 'what you have allowed or forbidden for longer',
    options: {},
    examples: ['turnbuckle permissions list', 'turnbuckle permissions revoke grant_71b2'],
    words: ['list', 'revoke'],
    takes: [1, 2],
    takesFile: false,
    load: async () => (await import('./commands/permissions-command.ts')).permissionsCommand,
  },
  {
    name: 'audit',
    usage: '[--limit N] [--json]',
    summary: 'who answered, voted, granted, switched, shared and trusted what, newest first',
    options: {
      limit: { type: 'string', short: 'n', value: 'N', does: '50 by default' },
      json: { type: 'boolean', does: 'one entry a line' },
    },
    examples: ['turnbuckle audit', 'turnbuckle audit --limit 500 --json'],
    words: [],
    takes: [0, 0],
    takesFile: false,
    load: async () => (await import('./commands/audit-command.ts')).auditCommand,
  },
  {
    name: 'mcp',
    usage: '',
    summary: "serve this agent's tools to an MCP client, on standard input and output",
    options: { yes: { type: 'boolean', does: 'allow what would be asked' } },
    examples: ['turnbuckle mcp'],
    words: [],
    takes: [0, 0],
    takesFile: false,
    load: async () => (await import('./commands/mcp-command.ts')).mcpCommand,
  },
  {
    name: 'doctor',
    usage: '',
    summary: 'what is set up, what is missing, how to fix it',
    options: {},
    examples: ['turnbuckle doctor'],
    words: [],
    takes: [0, 0],
    takesFile: false,
    load: async () => (await import('./commands/doctor-command.ts')).doctorCommand,
  },
  {
    name: 'completion',
    usage: 'bash|zsh|fish',
    summary: 'completion for your shell',
    options: {},
    examples: [
      'turnbuckle completion bash >> ~/.bashrc',
      'turnbuckle completion fish > ~/.config/fish/completions/turnbuckle.fish',
    ],
    words: ['bash', 'zsh', 'fish'],
    takes: [1, 1],
    takesFile: false,
    load: async () => (await import('./commands/completion-command.ts')).completionCommand,
  },
]
