import { asMessage } from '../base/message.ts'
import { buildPrompt, promptFromLog, promptToLog } from '../model/build-prompt.ts'
import type { BuiltInStage } from '../types/stage.ts'

/** A hook's own model call. Its body is put in by `ctx.generate`, which knows the model. */
export const generateStage: BuiltInStage = {
  name: 'generate',
  description: "a hook's own model call",
  estimatedMs: 2000,
  longRunning: true,
  takes: 'prompt',
  gives: 'reply',
  needed: 'name',
  calledByHook: true,
  errorKind: 'model',
  outlivesErrors: true,
  body: () => undefined,
  read: (value, { turn }) => asMessage(value ?? '', 'assistant', `${turn.id}.g${turn.spent.nextOwnCall()}`),
  toLog: { input: promptToLog },
  fromLog: { input: promptFromLog },
  reopensWith: buildPrompt,
}
