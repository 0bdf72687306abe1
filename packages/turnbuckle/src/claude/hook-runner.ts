import { messageOf } from '../core/base/errors.ts'
import { type ClaudeEvent, toolEvents } from './claude-events.ts'
import type { ClaudeCall } from './claude-tools.ts'
import type { HookHandler, MatchedHandler } from './hook-handler.ts'
import { type ClaudeHookSource, sourceLabel } from './hook-source.ts'
import { type AskJudge, judgeEvent } from './judge-event.ts'
import { matchesRule, matchesValue } from './matches-hook.ts'
import { type HookVerdict, joinVerdicts, readHookRun } from './read-hook-run.ts'
import { type HookRun, runHookCommand } from './run-hook-command.ts'
import { runHookRequest } from './run-hook-request.ts'
import { type CallMcpTool, runHookTool } from './run-hook-tool.ts'

/** The parts of the project that an event happens in. */
export interface HookScene {
  /** The sub-agent that works, if one does. */
  readonly agent?: string
  /** Skills and commands that were invoked in the conversation: `skill release`. */
  readonly active: readonly string[]
  /** Handlers for one run that have had it. */
  readonly spent: readonly string[]
}

/** What the handlers of an event have said. */
export interface Said {
  readonly all: HookVerdict
  /** Of those who may allow a call. */
  readonly users: HookVerdict
  /** Handlers for one run that have had it now. */
  readonly spent: readonly string[]
}

/** An event for hooks. */
export interface Occasion {
  readonly event: ClaudeEvent
  /** The text that matchers are compared with; none where the event has no matcher. */
  readonly matched?: string
  /** The call, at events of tools. */
  readonly call?: ClaudeCall
  /** The JSON that handlers are given. */
  readonly input: Readonly<Record<string, unknown>>
  /** Where it happens: hooks in the head of a sub-agent, skill or command run in that place only. */
  readonly place: HookScene
  readonly signal?: AbortSignal | undefined
  /** Who judges for handlers that are prompts or agents, within milliseconds: a model call, or a sub-agent, in the turn's name. */
  readonly judge?: (type: 'prompt' | 'agent', ms: number) => AskJudge
  /** Told what a handler that runs in the background has said, when it has ended. */
  readonly onLate?: (verdict: HookVerdict) => void
}

/** Events at which a handler that may not run holds up what it would have looked at. */
const gates: ReadonlySet<ClaudeEvent> = new Set(['PreToolUse', 'UserPromptSubmit'])
/** Seconds by default, by kind of handler; a prompt of a person does not wait as long for its hooks. */
const patience = (event: ClaudeEvent, { type }: HookHandler): number => {
  if (type === 'agent') return 60
  return type === 'prompt' || event === 'UserPromptSubmit' ? 30 : 600
}

/** The longest that a timer waits. */
const longestMs = 2 ** 31 - 1

interface Runnable {
  readonly source: ClaudeHookSource
  readonly entry: MatchedHandler
  /** Names it in `spent`; undefined where it runs more than once. */
  readonly once: string | undefined
}

/** Runs the handlers that an event matches, side by side. */
export class HookRunner {
  readonly #entries: ReadonlyMap<string, readonly Runnable[]>
  readonly #root: string
  readonly #callTool: CallMcpTool | undefined

  constructor(sources: readonly ClaudeHookSource[], root: string, callTool?: CallMcpTool) {
    this.#root = root
    this.#callTool = callTool
    this.#entries = byEvent(sources)
  }

  has(event: ClaudeEvent): boolean {
    return this.#entries.has(event)
  }

  /** Handlers of an event, for who has to know their limits. */
  handlers(event: ClaudeEvent): readonly { readonly handler: HookHandler; readonly from: ClaudeHookSource['from'] }[] {
    return (this.#entries.get(event) ?? []).map(({ entry, source }) => ({ handler: entry.handler, from: source.from }))
  }

  /** Never rejects. */
  async run(occasion: Occasion): Promise<Said> {
    const fitting = (this.#entries.get(occasion.event) ?? []).filter(
      one => isHere(one, occasion.place) && this.#fits(one.entry, occasion),
    )
    const verdicts = await Promise.all(fitting.map(one => this.#runOne(one, occasion)))
    const users = verdicts.filter((_, i) => fitting[i]?.source.from === 'user')
    const spent = fitting.flatMap(({ once }, i) => (once === undefined || verdicts[i]?.failed ? [] : [once]))
    return { all: joinVerdicts(verdicts), users: joinVerdicts(users), spent }
  }

  #fits({ event, matcher, handler }: MatchedHandler, { matched, call }: Occasion): boolean {
    if (matched !== undefined && !matchesValue(matcher, matched, event)) return false
    if (handler.if === undefined) return true
    return toolEvents.has(event as ClaudeEvent) && call !== undefined && matchesRule(handler.if, call, this.#root)
  }

  async #runOne({ source, entry }: Runnable, occasion: Occasion): Promise<HookVerdict> {
    const { event } = occasion
    const { handler } = entry
    const label = `${event} hook ${sourceLabel(source)} ${nameOf(handler)}`
    const refused = source.refused?.(entry)
    if (refused !== undefined) return refusal(event, `${label} did not run: ${refused}`)
    const ms = Math.min(Math.ceil((handler.timeout ?? patience(event, handler)) * 1000), longestMs)
    const work = () => this.#work(handler, occasion, { source, label, ms })
    if (handler.type !== 'command' || !(handler.async || handler.asyncRewake)) return work()
    void work().then(verdict => occasion.onLate?.(verdict))
    return { context: [], notices: [] }
  }

  async #work(
    handler: HookHandler,
    { event, input, signal, judge }: Occasion,
    { source, label, ms }: { source: ClaudeHookSource; label: string; ms: number },
  ): Promise<HookVerdict> {
    const json = JSON.stringify(input)
    if (handler.type === 'prompt' || handler.type === 'agent')
      return judgeEvent(event, handler, json, { label, ms, ask: judge?.(handler.type, ms) })
    const isBackground = handler.type === 'command' && (handler.async || handler.asyncRewake)
    const limits = { ms, signal: isBackground ? undefined : signal }
    const failed = (error: unknown): HookRun => ({ exit: 'failed', stdout: '', stderr: messageOf(error) })
    const run = await this.#start(handler, json, input, source, limits).catch(failed)
    return readHookRun(event, run, label, handler.onFailure)
  }

  async #start(
    handler: Exclude<HookHandler, { type: 'prompt' | 'agent' }>,
    json: string,
    input: Occasion['input'],
    { plugin, from }: ClaudeHookSource,
    limits: { readonly ms: number; readonly signal: AbortSignal | undefined },
  ): Promise<HookRun> {
    if (handler.type === 'http') return runHookRequest(handler, json, limits)
    if (handler.type === 'mcp_tool') return runHookTool(handler, input, this.#callTool, { ...limits, from })
    return runHookCommand(handler, json, { root: this.#root, plugin }, limits)
  }
}

function isHere({ source: { of }, once }: Runnable, { agent, active, spent }: HookScene): boolean {
  if (!of) return true
  if (of.kind === 'agent') return of.name === agent
  return active.includes(`${of.kind} ${of.name}`) && (once === undefined || !spent.includes(once))
}

/** The same handler in several settings files runs once; the copy of a plugin, sub-agent, skill or command is its own. */
function byEvent(sources: readonly ClaudeHookSource[]): ReadonlyMap<string, readonly Runnable[]> {
  const entries = new Map<string, Runnable[]>()
  const seen = new Set<string>()
  for (const source of sources)
    for (const entry of source.handlers) {
      const place = source.of ?? source.plugin?.root
      const key = JSON.stringify([place, entry.event, entry.matcher ?? '', entry.handler])
      if (seen.has(key)) continue
      seen.add(key)
      const once = source.of && entry.handler.once ? key : undefined
      entries.set(entry.event, [...(entries.get(entry.event) ?? []), { source, entry, once }])
    }
  return entries
}

const nameOf = (handler: HookHandler): string => {
  const text = toldOf(handler)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function toldOf(handler: HookHandler): string {
  if (handler.type === 'command') return handler.command
  if (handler.type === 'http') return handler.url
  return handler.type === 'mcp_tool' ? `${handler.server}/${handler.tool}` : handler.prompt
}

const refusal = (event: ClaudeEvent, text: string): HookVerdict =>
  gates.has(event)
    ? { block: text, permission: { decision: 'deny', reason: text }, context: [], notices: [text] }
    : { context: [], notices: [text] }
