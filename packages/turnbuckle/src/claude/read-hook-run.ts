import type { ClaudeEvent } from './claude-events.ts'
import { isRecord } from './hook-handler.ts'
import type { HookRun } from './run-hook-command.ts'

type Json = Readonly<Record<string, unknown>>

/** A handler's word about an event. */
export interface HookVerdict {
  /** It forbids what the event is about, or wants the turn to go on; the text is for the model or the person. */
  readonly block?: string
  readonly permission?: { readonly decision: 'allow' | 'ask' | 'deny' | 'defer'; readonly reason: string | undefined }
  readonly updatedInput?: Json
  /** Set where the handler has replaced a tool's result. */
  readonly updatedOutput?: { readonly value: unknown }
  /** Texts for the model. */
  readonly context: readonly string[]
  /** The turn ends, whatever else was said. */
  readonly stop?: string
  /** The handler failed, or said no by exit code 2. */
  readonly failed?: true
  /** Texts for the person. */
  readonly notices: readonly string[]
  /** An answer to a permission request. */
  readonly answer?: {
    readonly behavior: 'allow' | 'deny'
    readonly updatedInput?: Json
    readonly message?: string
    readonly interrupt?: boolean
  }
}

/** Events where exit code 2, or `decision: "block"`, forbids; at others its text goes to the model, to the person, or nowhere. */
const blocking: ReadonlySet<ClaudeEvent> = new Set([
  'PreToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'PostToolBatch',
])
const toldToModel: ReadonlySet<ClaudeEvent> = new Set(['PostToolUse', 'PostToolUseFailure'])
const toldToPerson: ReadonlySet<ClaudeEvent> = new Set(['SessionStart', 'SubagentStart', 'SessionEnd'])
/** Events where plain text on the output is context for the model. */
const plainContext: ReadonlySet<ClaudeEvent> = new Set(['UserPromptSubmit', 'SessionStart'])

/** Characters of each text that are passed on. */
const most = 10_000
const capped = (text: string): string =>
  text.length > most ? `${text.slice(0, most)}\n[cut: ${text.length} characters]` : text

/** Reads exit code and output by Claude Code's rules. `label` names the hook to a person. */
export function readHookRun(event: ClaudeEvent, run: HookRun, label: string, onFailure?: string): HookVerdict {
  const failed = (why: string): HookVerdict => ({
    ...(onFailure === 'block' ? blockedBy(event, `${label} failed: ${why}`) : told(`${label}: ${why}`)),
    failed: true,
  })
  if (run.exit === 'timeout') return failed('it took too long and was ended; what it said does not count')
  const text = run.stdout.trim()
  const json = text.startsWith('{') ? parsed(text) : undefined
  const wrong = json && schemaProblem(json, event)
  if (run.exit === 2) return refusedBy(event, run, label, wrong === undefined ? json : undefined)
  if (json) return wrong === undefined ? readJson(event, json) : failed(`its output is not as documented: ${wrong}`)
  if (run.exit !== 0) return failed(`Failed with non-blocking status code: ${firstLine(run.stderr) || run.exit}`)
  return { context: text && plainContext.has(event) ? [capped(text)] : [], notices: [] }
}

const told = (notice: string): HookVerdict => ({ context: [], notices: [notice] })
const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? ''

/** Exit code 2: JSON counts too, and cannot lift the block. */
function refusedBy(event: ClaudeEvent, run: HookRun, label: string, json: Json | undefined): HookVerdict {
  const said = json ? readJson(event, json) : { context: [], notices: [] }
  const own = said.block ?? (said.permission?.decision === 'deny' ? said.permission.reason : undefined)
  const blocked = blockedBy(event, capped(own || run.stderr.trim() || `${label} said no.`))
  const both = { context: [...said.context, ...blocked.context], notices: [...said.notices, ...blocked.notices] }
  return { ...said, ...blocked, ...both, failed: true }
}

/** The effect of exit code 2 at an event. */
function blockedBy(event: ClaudeEvent, reason: string): HookVerdict {
  const nothing = { context: [], notices: [] }
  if (event === 'PreToolUse') return { ...nothing, block: reason, permission: { decision: 'deny', reason } }
  if (blocking.has(event)) return { ...nothing, block: reason }
  if (toldToModel.has(event)) return { ...nothing, context: [reason] }
  return toldToPerson.has(event) ? { ...nothing, notices: [reason] } : nothing
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  continue: value => typeof value === 'boolean',
  suppressOutput: value => typeof value === 'boolean',
  stopReason: value => typeof value === 'string',
  systemMessage: value => typeof value === 'string',
  reason: value => typeof value === 'string',
  decision: value => value === 'block' || value === 'approve',
  hookSpecificOutput: isRecord,
}
const specificKinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  additionalContext: value => typeof value === 'string',
  permissionDecision: value => ['allow', 'deny', 'ask', 'defer'].includes(value as string),
  permissionDecisionReason: value => typeof value === 'string',
  updatedInput: isRecord,
  decision: value => isRecord(value) && (value.behavior === 'allow' || value.behavior === 'deny'),
}

/** The first member that is not as documented. */
function schemaProblem(json: Json, event: ClaudeEvent): string | undefined {
  const wrongOf = (value: Json, table: typeof kinds) =>
    Object.keys(value).find(key => Object.hasOwn(table, key) && value[key] !== undefined && !table[key]?.(value[key]))
  const top = wrongOf(json, kinds)
  if (top !== undefined) return `"${top}"`
  const specific = json.hookSpecificOutput
  if (!isRecord(specific)) return undefined
  if (specific.hookEventName !== event) return `"hookSpecificOutput.hookEventName" is not "${event}"`
  const inner = wrongOf(specific, specificKinds)
  return inner === undefined ? undefined : `"hookSpecificOutput.${inner}"`
}

function readJson(event: ClaudeEvent, json: Json): HookVerdict {
  const specific = isRecord(json.hookSpecificOutput) ? json.hookSpecificOutput : {}
  const permission = permissionOf(event, json, specific)
  const isBlocked = json.decision === 'block' && event !== 'PreToolUse'
  const blocked = isBlocked ? blockedBy(event, textIn(json.reason)[0] ?? 'A hook said no.') : undefined
  const { decision, updatedInput } = specific
  return {
    ...(blocked?.block === undefined ? {} : { block: blocked.block }),
    ...(permission ? { permission } : {}),
    ...(isRecord(updatedInput) ? { updatedInput } : {}),
    ...outputOf(event, specific),
    ...(json.continue === false ? { stop: textIn(json.stopReason)[0] ?? 'A hook ended the turn.' } : {}),
    ...(isRecord(decision) ? { answer: decision as unknown as NonNullable<HookVerdict['answer']> } : {}),
    context: [...textIn(specific.additionalContext), ...(blocked?.context ?? [])],
    notices: [...textIn(json.systemMessage), ...(blocked?.notices ?? [])],
  }
}

/** The text, if there is one. */
const textIn = (value: unknown): readonly string[] => (typeof value === 'string' && value !== '' ? [capped(value)] : [])

function outputOf(
  event: ClaudeEvent,
  { updatedToolOutput, updatedMCPToolOutput }: Json,
): Pick<HookVerdict, 'updatedOutput'> {
  const value = updatedToolOutput ?? updatedMCPToolOutput
  return event === 'PostToolUse' && value !== undefined ? { updatedOutput: { value } } : {}
}

/** `approve` and `block` are Claude's old words for `allow` and `deny` before a tool. */
function permissionOf(event: ClaudeEvent, json: Json, specific: Json): HookVerdict['permission'] {
  if (event !== 'PreToolUse') return undefined
  const reason = specific.permissionDecisionReason ?? json.reason
  const old = json.decision === 'approve' ? 'allow' : json.decision === 'block' ? 'deny' : undefined
  const decision = (specific.permissionDecision ?? old) as 'allow' | 'ask' | 'deny' | 'defer' | undefined
  return decision && { decision, reason: typeof reason === 'string' ? capped(reason) : undefined }
}

const ranks = ['deny', 'ask', 'allow'] as const

/** Puts verdicts together: a no counts more than a question, a question more than a yes; of inputs and results the last counts. */
export function joinVerdicts(verdicts: readonly HookVerdict[]): HookVerdict {
  const all = <Member extends keyof HookVerdict>(member: Member) =>
    verdicts.flatMap(verdict =>
      verdict[member] === undefined ? [] : [verdict[member] as NonNullable<HookVerdict[Member]>],
    )
  const permissions = all('permission')
  const permission = ranks.map(rank => permissions.find(({ decision }) => decision === rank)).find(Boolean)
  const answers = all('answer')
  const answer = answers.find(({ behavior }) => behavior === 'deny') ?? answers[0]
  const blocks = all('block')
  const [updatedInput, updatedOutput, [stop]] = [all('updatedInput').at(-1), all('updatedOutput').at(-1), all('stop')]
  return {
    ...(blocks.length ? { block: [...new Set(blocks)].join('\n') } : {}),
    ...(permission ? { permission } : {}),
    ...(updatedInput ? { updatedInput } : {}),
    ...(updatedOutput ? { updatedOutput } : {}),
    ...(stop === undefined ? {} : { stop }),
    ...(answer ? { answer } : {}),
    context: verdicts.flatMap(({ context }) => context),
    notices: verdicts.flatMap(({ notices }) => notices),
  }
}
