import type { Message, Part } from '../base/message.ts'
import type { HookEntry } from '../hooks/hook-set.ts'
import type { ShownChunk } from '../hooks/hook-types.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { passMark, passThrough } from './pass-chunks.ts'

/** The guards that have to see a message before it is recorded: its text came from a hook, not from a stream they have watched. */
export function textGuards({ hooks, turn }: StageFrame, message: Message): readonly HookEntry[] {
  if (!hooks.onChunk.length || !isSpoken(message) || turn.step.hasStreamed(message)) return []
  return hooks.onChunk.filter(({ owner }) => owner.guard && owner.name !== message.by)
}

/** A reply, or what a hook tells the model (`again`). A person's own words are no stream. */
const isSpoken = ({ role, by }: Message): boolean => role === 'assistant' || (role === 'user' && by !== undefined)

/** Shows the texts of a message to guards' `onChunk`, as if they were streamed. Gives what is left of it; undefined where one refused. */
export async function guardText(
  frame: StageFrame,
  guards: readonly HookEntry[],
  message: Message,
): Promise<Message | undefined> {
  const noted = frame.noted.list.length
  const passed: ShownChunk[] = [...(await passMark(frame, guards, { type: 'start', attempt: 0 }))]
  const content: Part[] = []
  for (const part of message.content) {
    if (part.type === 'text' || part.type === 'reasoning') passed.push(...(await passThrough(frame, guards, [part], 0)))
    else {
      content.push(...partsOf(passed.splice(0)), part)
    }
  }
  passed.push(...(await passMark(frame, guards, { type: 'end' })))
  content.push(...partsOf(passed))
  return frame.noted.list.length === noted ? { ...message, content } : undefined
}

/** Text and reasoning as parts; pieces of one kind in a row are one part, unless the provider's own data closes it. */
function partsOf(chunks: readonly ShownChunk[]): Part[] {
  const parts: Part[] = []
  for (const chunk of chunks) {
    if (chunk.type !== 'text' && chunk.type !== 'reasoning') continue
    const last = parts.at(-1)
    if (last?.type === chunk.type && last.meta === undefined)
      parts[parts.length - 1] = { ...last, ...chunk, text: last.text + chunk.text }
    else if (chunk.text || chunk.meta !== undefined) parts.push(chunk)
  }
  return parts
}
