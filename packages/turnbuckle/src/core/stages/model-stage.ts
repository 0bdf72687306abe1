import type { Message } from '../base/message.ts'
import type { Prompt } from '../base/ports.ts'
import { notLogged } from '../durable/checkpoints.ts'
import {
  buildPrompt,
  cleanPrompt,
  isSamePrompt,
  madeOf,
  promptFromLog,
  promptNow,
  promptToLog,
  refreshPrompt,
} from '../model/build-prompt.ts'
import { callModel, keepReply, readReply, type Stream } from '../model/call-model.ts'
import { replyFromLog, replyToLog } from '../model/logged-reply.ts'
import type { BuiltInStage } from '../types/stage.ts'

const isStream = (given: unknown): given is Stream =>
  typeof given === 'object' && given !== null && Symbol.asyncIterator in given

const refresh: BuiltInStage<'model'>['refresh'] = frame => {
  frame.input = refreshPrompt(frame.turn, frame.input as Prompt)
}

/** Streams the reply. Each time a wrap calls `next` is an attempt of its own. */
export const modelStage: BuiltInStage<'model'> = {
  name: 'model',
  description: 'stream the reply',
  estimatedMs: 2000,
  longRunning: true,
  takes: 'prompt',
  gives: 'reply',
  needed: undefined,
  errorKind: 'model',
  inheritsCancel: true,
  begin: ({ spent, step, replay }) => {
    spent.countModelStage()
    step.skipAttempts(replay.attempts(step.index))
  },
  input: buildPrompt,
  current: (turn, given, handed) => refreshPrompt(turn, madeOf(handed, given) as Prompt),
  refresh,
  check: refresh,
  body: (frame, prompt) => callModel(frame, prompt as Prompt),
  copyInput: prompt => promptNow(prompt as Prompt),
  isSameInput: (one, other) => isSamePrompt(one as Prompt, other as Prompt),
  cleanInput: (prompt, clean) => cleanPrompt(prompt as Prompt | undefined, clean),
  read: readReply,
  // A stage in its place may stream: an async iterable of chunks is read as a model's.
  adopt: (given, frame, prompt) =>
    isStream(given) ? callModel(frame, prompt as Prompt, given) : readReply(given, frame),
  show: (step, reply) => step.showReply(reply as Message),
  keep: (turn, reply) => keepReply(turn, reply as Message),
  // A model that a hook chose is code, not in the log: the hooks choose it again.
  toLog: { input: frame => ((frame.input as Prompt).model ? notLogged : promptToLog(frame)), result: replyToLog },
  fromLog: { input: promptFromLog, result: replyFromLog },
  reopensWith: buildPrompt,
}
