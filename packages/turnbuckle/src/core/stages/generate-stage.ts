import { asMessage } from '../base/message.ts'
import type { Prompt } from '../base/ports.ts'
import { buildPrompt, cleanPrompt, isSamePrompt, promptFromLog, promptNow, promptToLog } from '../model/build-prompt.ts'
import type { BuiltInStage } from '../types/stage.ts'

/** A hook's own model call. Its body is put in by `ctx.generate`, which knows the model. */
export const generateStage: BuiltInStage<'generate'> = {
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
  copyInput: prompt => promptNow(prompt as Prompt),
  isSameInput: (one, other) => isSamePrompt(one as Prompt, other as Prompt),
  cleanInput: (prompt, clean) => cleanPrompt(prompt as Prompt | undefined, clean),
  read: (value, { turn }) => asMessage(value ?? '', 'assistant', `${turn.id}.g${turn.spent.nextOwnCall()}`),
  toLog: { input: promptToLog },
  fromLog: { input: promptFromLog },
  reopensWith: buildPrompt,
}
