import { type ErrorKind, isHookError, isStopped, kindOf, TurnbuckleError } from '../base/errors.ts'
import type { ToolResult } from '../base/message.ts'
import { isPromise } from '../base/ports.ts'
import { accept } from './accept-directive.ts'
import { invoke } from './call-hook.ts'
import { fail } from './directives.ts'
import { each, type Wait } from './each.ts'
import { note } from './note-directive.ts'
import type { StageFrame } from './stage-frame.ts'

export type ErrorPolicy = Readonly<Partial<Record<ErrorKind, 'stop' | 'ignore'>>>

/** `onError` sees what went wrong, and may steer; if nobody does, the policy decides by kind. Retrying is a wrap's business, and over by now. */
export function judge(frame: StageFrame): Wait {
  const error = frame.status === 'failed' ? frame.error : notAllowed(frame)
  if (error === undefined) return
  frame.turn.draft?.errors.push(error)
  let steered = false
  const told = each(frame.chain.onError, entry => {
    const took = (returned: unknown) => {
      if (accept(frame, entry, returned)) steered = true
    }
    try {
      const returned = invoke(frame, entry, error)
      return isPromise(returned) ? returned.then(took).catch(() => {}) : took(returned)
    } catch {
      return false
    }
  })
  const decide = () => {
    if ((!steered || isHookError(error)) && !wasStopped(frame, error)) apply(frame, error)
  }
  return isPromise(told) ? told.then(decide) : decide()
}

/** The hook failed because its own model call was not allowed any more: that ends the turn by itself. */
const wasStopped = ({ turn }: StageFrame, error: unknown): boolean =>
  turn.halted && error instanceof TurnbuckleError && (isStopped(error) || isStopped(error.cause))

/** A call that was blocked or denied has the kind `toolBlocked`. */
function notAllowed(frame: StageFrame): TurnbuckleError | undefined {
  const { status, value } = (frame.result ?? {}) as Partial<ToolResult>
  if (status !== 'blocked' && status !== 'denied') return undefined
  return new TurnbuckleError('tool.blocked', `${frame.call?.name} was ${status}: ${String(value)}`, {
    kind: 'toolBlocked',
  })
}

function apply(frame: StageFrame, error: unknown): void {
  const blocked = frame.status === 'skipped'
  if (frame.status !== 'failed' && !blocked) return
  const { turn, stage } = frame
  // A hook said so: that counts by itself.
  if (frame.sink.some(({ directive }) => directive.type === 'fail' && directive.value === error)) return
  const kind = kindOf(error, stage.name)
  // A turn cannot go on from what is not recorded.
  if (!stage.required && (turn.agent.errors[kind] ?? defaultPolicy(kind, stage.name)) === 'ignore') return
  const by = error instanceof TurnbuckleError && error.by ? error.by : stage.name
  note(frame, fail(error), by, error instanceof TurnbuckleError && error.at ? error.at : stage.name)
}

/**
 * The model is told of a tool's error and goes on; a hook's own model call fails that hook, whose failure mode decides;
 * everything else ends the turn, a broken hook too.
 */
const defaultPolicy = (kind: ErrorKind, stage: string): 'stop' | 'ignore' =>
  (stage === 'tool' || stage === 'generate') && kind !== 'hook' && kind !== 'store' ? 'ignore' : 'stop'
