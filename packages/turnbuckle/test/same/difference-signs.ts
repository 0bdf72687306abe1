import { dataOf, instantOf, interruptsIn } from './instants.ts'
import { hasAct } from './instead.ts'
import type { HookPlan, PersonPlan, Program } from './program.ts'

/** Replies that a crash cut off, in whose time a message of another turn was recorded or withdrawn. */
export function repliesCutBeside(lines: readonly string[]): readonly string[] {
  const events = lines.filter(line => / event message\./.test(line)).map(dataOf)
  return events.flatMap(({ type, reason, messageId, turnId }, end) => {
    if (type !== 'message.discarded' || reason !== 'the process ended') return []
    const start = events.findIndex(event => event['type'] === 'message.started' && event['messageId'] === messageId)
    const isBeside = (event: Record<string, unknown>) =>
      event['turnId'] !== turnId && event['type'] !== 'message.started'
    return events.slice(start, end).some(isBeside) ? [String(messageId)] : []
  })
}

/** A line without the text of a reply that a crash cut off, as far as the log had it. */
export function withoutKeptText(line: string, messageId: string): string {
  if (/^\d+ delta /.test(line)) return line
  const start = `"messageId":"${messageId}"`
  return line.replace(
    /("messageId":"[^"]*")((?:,"reason":"the process ended")?),"text":"(?:[^"\\]|\\.)*"/g,
    (all, id, reason) => (id === start ? id + reason : all),
  )
}

/** The failure of a before hook that was told when its turn was over. */
export const isLateFailure = (line: string): boolean => lateHookOf(line) !== undefined

/** The failure of an after hook whose model call a directive had left out, told when its turn was over. */
export const isLateRefusal = (line: string): boolean =>
  / event hook\.failed .*"point":"after\w+","error":"The model call of a hook did not take place/.test(line) &&
  dataOf(line)['turnId'] === undefined

/** What `explain` had of it. */
export const lateDecision =
  /,?\{"directive":"fail","by":"[^"]+","at":"after\w+","step":\d+,"reason":"[^}]* did not take place[^}]*"won":false\}/

/** A guard is asked about a call that a process before this one has refused. */
export const isGuardedAgain = (line: string): boolean => / hook \S+\.beforeTool .*"resumed":true/.test(line)

/** Whether hooks come and go while turns run. */
export const isToggled = (program: Program): boolean =>
  hasAct(program, /^(use|disable|enable)$/) ||
  program.people.some(({ does }) => /^(use|unuse|disable|enable)$/.test(does))

/** Tells whether a person interrupts as soon as an event is told. */
export const isInterruptAt = (event: string, { when, does }: PersonPlan): boolean =>
  'event' in when && when.event === event && /interrupt|breakIn/.test(does)
export const isWithMessage = (plan: PersonPlan): boolean => isInterruptAt('message.added', plan)
export const isWithMove = (plan: PersonPlan): boolean => isInterruptAt('head.moved', plan)

export const isInterrupted = (line = ''): boolean =>
  / event (turn\.interrupted|tool\.failed .*"status":"interrupted")/.test(line)

export const refusalsIn = (lines: readonly string[]): number =>
  lines.filter(line => /There is no tool/.test(line)).length

const isFailure = (line: string): boolean => / event turn\.failed /.test(line)
export const hasFailedWrap = (lines: readonly string[]): boolean =>
  lines.some(line => / event hook\.failed .*"point":"wrap/.test(line)) &&
  lines.some(line => /too slow|signalled/.test(line))

export const isWaitingBefore = ({ hook, wait, act }: HookPlan): boolean =>
  /^before/.test(hook) && (typeof wait === 'number' || /^(ask|generate|agentSend|forkSend|sleep|overlap)/.test(act))

/** The before hook whose failure is told, or kept in the store, when its turn is over. */
export function lateHookOf(line: string): string | undefined {
  if (!/ event (hook\.failed .*|.*"type":"hook\.failed".*)"point":"before/.test(line)) return undefined
  const { turnId, turn, body, ...event } = dataOf(line)
  const { name, point } = { ...event, ...(body as object) } as Record<string, unknown>
  return turnId === undefined && turn === undefined ? `${name}.${point}` : undefined
}

/** Tells whether a line is the span of a before hook that ended with its turn, or later. */
export function cutBeforeHooksIn(lines: readonly string[]): (line: string) => boolean {
  const interrupts = interruptsIn(lines)
  const failures = new Map(lines.filter(isFailure).map(line => [dataOf(line)['turnId'], instantOf(line)]))
  const isCut = (line: string, { turnId }: Record<string, unknown>) =>
    /"error":"The turn was interrupted\."/.test(line) ||
    instantOf(line) >= (interrupts.get(turnId) ?? Infinity) ||
    instantOf(line) > (failures.get(turnId) ?? Infinity)
  return line => / hook (span|\S+\.onTrace) .*"kind":"hook","at":"before/.test(line) && isCut(line, dataOf(line))
}

/** An attempt adds its usage to the draft as it unwinds. */
export const usageInDraft = /,"usage":\{"inputTokens":\d+,"outputTokens":\d+(,"cost":[\d.]+)?\}(?=\},"path")/

export const spanPlace = /(onOpen|onTrace|span) \{"id":\d+,("parentId":\d+,)?/

/** The lines with the hooks of some instants last, in no particular order: spans are numbered as they begin. */
export function withFreeHooks(lines: readonly string[], instants: ReadonlySet<number>): readonly string[] {
  const isFree = (line: string): boolean => instants.has(instantOf(line)) && /^\d+ hook /.test(line)
  const free = lines.filter(isFree).map(line => line.replace(spanPlace, '$1 {'))
  return [...lines.filter(line => !isFree(line)), ...free.toSorted()]
}
