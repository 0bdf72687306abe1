import { canonicalJson } from '../base/canonical-json.ts'
import { TurnbuckleError } from '../base/errors.ts'
import type { Call, ToolResult } from '../base/message.ts'
import type { PermissionAnswer } from '../events/request.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { Tool } from '../types/tool.ts'
import { isPermitted } from './is-permitted.ts'
import { permissionQuestion } from './permission-question.ts'

/** Stands for the tool of a call that the provider runs once it is allowed to. One question at a time, and after a crash the same again. */
export const askedTool = ({ name }: Call): Tool => ({
  name,
  description: '',
  schema: { type: 'object' },
  input: undefined,
  run: () => undefined,
  sequential: true,
  idempotent: true,
  readOnly: false,
  timeout: undefined,
  maxResult: Infinity,
})

/**
 * The answer to a provider that asks before it runs a call of its own. A person decides, unless a guard has just had a person's yes to
 * this very call. Anything but an `ok` result is a no.
 */
export async function askForProvider(frame: StageFrame): Promise<ToolResult> {
  const call = frame.call as Call
  const made = frame.turn.step.draft.calls.find(({ id }) => id === call.id)
  if (canonicalJson(made?.args) !== canonicalJson(call.args)) throw unchangeable(call)
  if (isPermitted(frame, call)) return allowed
  const check = (answer: unknown) => {
    if ((answer as PermissionAnswer).args !== undefined) throw unchangeable(call)
  }
  frame.onWait?.()
  const asked = frame.turn.ask(frame, 'provider', 'permission', permissionQuestion(call, ''), {
    fallback: 'deny',
    check,
  })
  const { decision, reason } = (await asked) as PermissionAnswer
  return decision === 'allow' ? allowed : { status: 'denied', value: reason ?? 'A person said no.' }
}

const allowed: ToolResult = { status: 'ok', value: 'Allowed: the provider runs the call.' }

const unchangeable = ({ name }: Call): TurnbuckleError =>
  new TurnbuckleError('call.unchangeable', `The provider runs ${name} itself, with the arguments it has asked about.`, {
    kind: 'validation',
  })
