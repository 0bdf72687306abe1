import { canonicalJson } from '../base/canonical-json.ts'
import type { Call } from '../base/message.ts'
import type { StageFrame } from '../types/stage-frame.ts'

/** True where a person has allowed the call with these very arguments, in the `tool` stage of this frame. */
export function isPermitted({ permitted }: StageFrame, call: Call): boolean {
  if (!permitted || permitted.name !== call.name) return false
  return permitted.args === call.args || canonicalJson(permitted.args) === canonicalJson(call.args)
}
