import { eventsWithoutCounterpart } from './claude-events.ts'

/** Members that every kind of handler may have. */
interface Common {
  /** A permission rule: the handler runs for calls that match it. Only at events of tools. */
  readonly if?: string
  /** Seconds. */
  readonly timeout?: number
  /** `block`: a failure of the handler counts as exit code 2. */
  readonly onFailure?: 'continue' | 'block'
  /** In the head of a skill or command: the handler is gone after its first run that went well. */
  readonly once?: boolean
}

/** A program that is given the event as JSON on its input. */
export interface CommandHandler extends Common {
  /** Tells a command from other handlers. */
  readonly type: 'command'
  /** The command line; with `args` the program. */
  readonly command: string
  /** With it `command` is a program, started without a shell. */
  readonly args?: readonly string[]
  /** The shell that reads the command line. `/bin/sh` by default. */
  readonly shell?: 'bash' | 'powershell'
  /** Runs in the background: what it says comes with a later model call. */
  readonly async?: boolean
  /** As `async`. */
  readonly asyncRewake?: boolean
}

/** An address that the event is posted to. */
export interface HttpHandler extends Common {
  /** Tells an address from other handlers. */
  readonly type: 'http'
  /** The address that the event is posted to. */
  readonly url: string
  /** Headers of the request; `$NAME` stands for a variable. */
  readonly headers?: Readonly<Record<string, string>>
  /** Names of variables that headers may have the values of. */
  readonly allowedEnvVars?: readonly string[]
}

/** A question to a model: `$ARGUMENTS` stands for the event. */
export interface PromptHandler extends Common {
  /** Tells a prompt from other handlers. */
  readonly type: 'prompt'
  /** The question; the event is added where it does not name `$ARGUMENTS`. */
  readonly prompt: string
  /** A no is told to the model, and does not end the turn. */
  readonly continueOnBlock?: boolean
}

/** A question to an agent that may look into the project's files before it answers: `$ARGUMENTS` stands for the event. */
export interface AgentHandler extends Common {
  /** Tells an agent from other handlers. */
  readonly type: 'agent'
  /** The question; the event is added where it does not name `$ARGUMENTS`. */
  readonly prompt: string
}

/** A tool of a connected MCP server; its text counts as a command's output. */
export interface McpToolHandler extends Common {
  /** Tells a server's tool from other handlers. */
  readonly type: 'mcp_tool'
  /** The name of the server. */
  readonly server: string
  /** The name of the tool on its server. */
  readonly tool: string
  /** The arguments; `${tool_input.file_path}` in a text stands for that member of the event. */
  readonly input?: Readonly<Record<string, unknown>>
}

/** A handler of Claude Code's `hooks`. */
export type HookHandler = CommandHandler | HttpHandler | McpToolHandler | PromptHandler | AgentHandler

/** A handler with the matcher of its group. */
export interface MatchedHandler {
  /** The name of the event. */
  readonly event: string
  /** Tells which tools, or other values, it is for. */
  readonly matcher: string | undefined
  /** What runs. */
  readonly handler: HookHandler
}

/** The handlers of a `hooks` member, and texts about those that cannot run here. */
export interface ReadHooks {
  readonly handlers: readonly MatchedHandler[]
  readonly problems: readonly string[]
}

/** Members that a kind of handler needs. */
const needed: Readonly<Record<HookHandler['type'], readonly string[]>> = {
  command: ['command'],
  http: ['url'],
  mcp_tool: ['server', 'tool'],
  prompt: ['prompt'],
  agent: ['prompt'],
}
/** Events that a model may be asked about, by Claude's table. */
const judged: ReadonlySet<string> = new Set([
  'PermissionRequest',
  'PostToolBatch',
  'PostToolUse',
  'PostToolUseFailure',
  'PreToolUse',
  'Stop',
  'SubagentStop',
  'UserPromptSubmit',
])
const runsAt = (event: string, type: HookHandler['type']): boolean => {
  if (type === 'prompt' || type === 'agent') return judged.has(event)
  return type !== 'http' || event !== 'SessionStart'
}

/** Reads the `hooks` of a settings file. What is not as Claude documents it is left out and named. */
export function readHookHandlers(hooks: unknown): ReadHooks {
  const groups = Object.entries(isRecord(hooks) ? hooks : {}).flatMap(([event, list]) =>
    Array.isArray(list) ? list.map(group => readGroup(event, group)) : [wrong(`"${event}" is not a list.`)],
  )
  return { handlers: groups.flatMap(group => group.handlers), problems: groups.flatMap(group => group.problems) }
}

function readGroup(event: string, group: unknown): ReadHooks {
  const { matcher, hooks } = isRecord(group) ? group : {}
  if (!Array.isArray(hooks)) return wrong(`A group of "${event}" has no list "hooks".`)
  const problems = hooks.flatMap(handler => problemOf(event, handler) ?? []).map(problem => `${event}: ${problem}.`)
  const fitting = hooks.filter(handler => problemOf(event, handler) === undefined) as HookHandler[]
  const pattern = typeof matcher === 'string' ? matcher : undefined
  return { handlers: fitting.map(handler => ({ event, matcher: pattern, handler })), problems }
}

const wrong = (problem: string): ReadHooks => ({ handlers: [], problems: [problem] })

function problemOf(event: string, handler: unknown): string | undefined {
  const { type, ...rest } = isRecord(handler) ? handler : {}
  const named = String(type)
  if (!isKind(named)) return `there are no hooks of the type "${named}"`
  const missing = needed[named].find(member => typeof rest[member] !== 'string')
  if (missing !== undefined) return `a hook of the type "${named}" needs a text "${missing}"`
  if (rest.if !== undefined && typeof rest.if !== 'string') return 'its "if" is no text'
  if (rest.timeout !== undefined && !isPositive(rest.timeout)) return 'its "timeout" is no number of seconds above 0'
  if (eventsWithoutCounterpart[event] !== undefined || runsAt(event, named)) return undefined
  return `hooks of the type "${named}" do not run at this event`
}

const isPositive = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value > 0

const isKind = (type: string): type is HookHandler['type'] => Object.hasOwn(needed, type)

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
