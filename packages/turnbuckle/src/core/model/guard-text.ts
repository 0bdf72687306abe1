import { TurnbuckleError } from '../base/errors.ts'
import type { Message, Part, ReasoningPart, TextPart } from '../base/message.ts'
import { isThenable } from '../base/ports.ts'
import { callHook } from '../hooks/call-hook.ts'
import type { HookEntry } from '../hooks/hook-set.ts'
import type { ShownChunk } from '../hooks/hook-types.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { ChunkHooks, type Chunks, readPassed } from './chunk-hooks.ts'

/** The guards that have to see a message before it is recorded: its text came from a hook, not from a stream they have watched. */
export function textGuards({ hooks, turn }: StageFrame, message: Message): readonly HookEntry[] {
  if (!hooks.onChunk.length || !isSpoken(message) || turn.step.hasStreamed(message)) return []
  return hooks.onChunk.filter(({ owner }) => owner.guard && owner.name !== message.by)
}

/** A reply, or what a hook or tool tells the model (`again`, `interject`). A person's own words are no stream. */
const isSpoken = ({ role, by }: Message): boolean => role === 'assistant' || (role === 'user' && by !== undefined)

/** Shows the texts of a message to guards' `onChunk`, as if they were streamed. Gives what is left of it; undefined where one refused. */
export async function guardText(
  frame: StageFrame,
  guards: readonly HookEntry[],
  message: Message,
): Promise<Message | undefined> {
  const noted = frame.noted.list.length
  const hooks = new ChunkHooks(frame, guards)
  try {
    const passed = [await hooks.begin(0)]
    for (const part of message.content) if (isText(part)) passed.push(await hooks.pass([part]))
    passed.push(await hooks.end())
    return frame.noted.list.length === noted ? { ...message, content: withPassed(message.content, passed) } : undefined
  } catch (error) {
    await hooks.lose()
    throw error
  }
}

/**
 * The same for a message that a hook writes into the history, which cannot wait: a guard that has to be waited for keeps it out, with an error
 * that names another way.
 */
export function guardTextNow(frame: StageFrame, message: Message): Message | undefined {
  const noted = frame.noted.list.length
  let { content } = message
  for (const guard of textGuards(frame, message)) {
    const chunks: ShownChunk[] = [{ type: 'start', attempt: 0 }, ...content.filter(isText), { type: 'end' }]
    const passed = chunks.map(chunk => passNow(frame, guard, chunk))
    if (frame.noted.list.length !== noted) return undefined
    content = withPassed(content, passed)
  }
  return { ...message, content }
}

function passNow(frame: StageFrame, guard: HookEntry, chunk: ShownChunk): Chunks {
  const returned = callHook(frame, guard, chunk)
  if (!isThenable(returned)) return readPassed(frame, guard, chunk, returned)
  returned.then(undefined, () => {})
  throw new TurnbuckleError(
    'guard.waits',
    `Guard "${guard.owner.name}" looks at this text, and has to be waited for; ctx.messages cannot. Say it with again(…), skip(…), replace(…) or stop(…, { say }).`,
  )
}

const isText = (part: Part): part is TextPart | ReasoningPart => part.type === 'text' || part.type === 'reasoning'

/** The parts with what guards let pass of each text: `passed` begins with what came at the start, and ends with what came at the end. */
function withPassed(parts: readonly Part[], [begun = [], ...passed]: readonly Chunks[]): Part[] {
  const texts: ShownChunk[] = [...begun]
  const content: Part[] = []
  let next = 0
  for (const part of parts) {
    if (isText(part)) texts.push(...(passed[next++] ?? []))
    else content.push(...partsOf(texts.splice(0)), part)
  }
  return [...content, ...partsOf([...texts, ...(passed[next] ?? [])])]
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
