import { type Clean, cleanData } from '../base/clean-data.ts'
import { none } from '../base/lists.ts'
import type { Message } from '../base/message.ts'
import type { Model, Prompt, ToolSpec } from '../base/ports.ts'
import { type LoggedMessages, messagesFromLog, messagesToLog } from '../durable/messages-to-log.ts'
import { pathOf, shownPath, type TreeNode } from '../history/tree.ts'
import type { Instruction } from '../state/hook-data.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'
import { offeredBy } from './instructed-tools.ts'

const noParams: Prompt['params'] = Object.freeze({})

/** From how many messages on even a model reads them only when it looks: copying fewer costs less than an accessor. */
const many = 256

/** The prompt of the coming model call. Its messages are read on first access, so a long history costs nothing here. */
export function buildPrompt(turn: TurnState): Prompt {
  const { agent, hookData } = turn
  const { tip } = turn.branch
  const { specs } = agent.toolsOf(turn)
  // Without hooks only the model reads the prompt, and so surely reads the messages.
  if (turn.hooks.empty && !hookData.instructions.length && tip && tip.depth < many)
    return { messages: pathOf(tip), tools: specs, instructions: agent.instructions, params: noParams }
  const prompt = new LazyPrompt(tip, specs, agent.instructions, noParams)
  prompt.own = agent.instructions
  if (hookData.instructions.length) tell(turn, prompt, hookData.instructions)
  return prompt
}

/** The prompt with the instructions queued and the messages edited since it was built: the call has not been made yet. */
export function refreshPrompt(turn: TurnState, prompt: Prompt): Prompt {
  const current = prompt instanceof LazyPrompt ? prompt.at(turn.branch.tip) : prompt
  const { instructions } = turn.hookData
  const queued = instructions.length ? instructions.filter(({ told }) => !told) : none
  if (!queued.length) return current
  const fuller = current === prompt ? freshPrompt(prompt) : current
  tell(turn, fuller, queued)
  return fuller
}

/** A prompt that a hook made of another, as `{ ...prompt, params }`: unless it chose the messages, they still follow the path. */
export function madeOf(prompt: unknown, given: unknown): unknown {
  if (!(prompt instanceof LazyPrompt) || given instanceof LazyPrompt) return given
  const { messages, ...rest } = (given ?? {}) as Partial<Prompt>
  return prompt.gave(messages) ? Object.assign(prompt.copy(), rest) : given
}

/** True where the prompt's messages are surely the path to `tip`. Does not read them. */
export const isPath = (prompt: Prompt, tip: TreeNode | undefined): boolean =>
  prompt instanceof LazyPrompt && prompt.follows(tip)

/** A prompt for the log: its messages are on the tree already, but for those that a hook has put in their place. */
export function promptToLog({ input, turn }: StageFrame): unknown {
  const prompt = input as Prompt
  const { tools, instructions, params } = prompt
  const { tip } = turn.branch
  return {
    messages: isPath(prompt, tip) ? undefined : messagesToLog(prompt.messages, pathOf(tip)),
    tools: tools === turn.agent.toolsOf(turn).specs ? undefined : tools,
    instructions,
    params,
    ...ownToLog(prompt, turn.agent.instructions),
  }
}
function ownToLog(prompt: Prompt, agents: string): { readonly own?: string } {
  const own = ownInstructions(prompt) ?? agents
  return own === agents ? {} : { own }
}

export function promptFromLog(frame: StageFrame, logged: unknown): void {
  const { messages, tools, instructions, params, own } = logged as LoggedPrompt
  const prompt = freshPrompt(frame.input as Prompt)
  Object.assign(prompt, { tools: tools ?? prompt.tools, instructions, params })
  if (messages) prompt.messages = messagesFromLog(messages, pathOf(frame.turn.branch.tip))
  if (own !== undefined) prompt.own = own
  frame.takeInput(prompt)
}

interface LoggedPrompt extends Pick<Prompt, 'instructions' | 'params'> {
  readonly messages?: LoggedMessages
  /** The instructions that count as the agent's own, where they are more than the agent has. */
  readonly own?: string
  readonly tools?: Prompt['tools']
}

/** `tip` is the end of the path, where the messages are that and nothing else: what was worked out for its nodes holds. */
export type Rewrite = (messages: readonly Message[], tip?: TreeNode) => readonly Message[]

/**
 * The prompt with some members changed. The messages stay unread, and `rewrite` waits, until the model reads them: a
 * hook that changes a prompt this way costs the same for any length of the history, and what is edited later is in it.
 */
export function changedPrompt(prompt: Prompt, changes: Partial<Omit<Prompt, 'messages'>>, rewrite?: Rewrite): Prompt {
  const changed = Object.assign(freshPrompt(prompt), changes)
  if (rewrite) changed.rewrite(rewrite)
  return changed
}

/**
 * The prompt with a paragraph more in its instructions that counts as the agent's own, as text of the project does: it stands before
 * what other hooks have added, and a replay does not compare it.
 */
export function withOwnInstructions(prompt: Prompt, text: string): Prompt {
  const fuller = freshPrompt(prompt)
  const { own, instructions } = fuller
  if (own === undefined || !instructions.startsWith(own))
    return changedPrompt(prompt, { instructions: joined(instructions, text) })
  fuller.own = joined(own, text)
  fuller.instructions = joined(fuller.own, instructions.slice(own.length).trimStart())
  return fuller
}

/** The part of a prompt's instructions that counts as the agent's own; undefined where that is not known. */
export const ownInstructions = (prompt: Prompt): string | undefined =>
  prompt instanceof LazyPrompt ? prompt.own : undefined

const joined = (before: string, after: string): string => (before && after ? `${before}\n\n${after}` : before || after)

function tell(turn: TurnState, prompt: Prompt, queued: readonly Instruction[]): void {
  for (const { what } of queued) {
    if (typeof what !== 'string') {
      const { tools, ...params } = what
      prompt.params = { ...prompt.params, ...params }
      if (tools) prompt.tools = offeredBy(turn.agent.toolsOf(turn), tools)
    } else prompt.instructions = joined(prompt.instructions, what)
  }
  const kept = turn.hookData.instructions.filter(instruction => instruction.for === 'turn')
  turn.hookData.setInstructions(kept.map(instruction => ({ ...instruction, told: true })))
}

/** A prompt of its own for each attempt: what one attempt changes, the next does not see. */
export function freshPrompt(prompt: Prompt): LazyPrompt {
  if (prompt instanceof LazyPrompt) return prompt.copy()
  const fresh = new LazyPrompt(undefined, prompt.tools, prompt.instructions, prompt.params)
  fresh.messages = prompt.messages
  if (prompt.model) fresh.model = prompt.model
  return fresh
}

/** The prompt as it is now, for who compares it with a later one: where neither chose other messages, both read the same list. */
export const promptNow = (prompt: Prompt): Prompt =>
  prompt instanceof LazyPrompt ? prompt.snapshot() : freshPrompt(prompt)

/** The prompt without what the redactors take out. Messages of the path stay unread: they were cleaned before they were recorded. */
export function cleanPrompt(prompt: Prompt | undefined, clean: Clean): Prompt | undefined {
  if (!prompt) return prompt
  const cleaned = freshPrompt(prompt)
  cleaned.instructions = clean(prompt.instructions)
  cleaned.params = cleanData(prompt.params, clean) as Prompt['params']
  if (cleaned.isRewritten) cleaned.rewrite(messages => cleanData(messages, clean) as readonly Message[])
  return cleaned
}

/** True where two prompts say the same. Does not read the messages. */
export function isSamePrompt(one: Prompt, other: Prompt): boolean {
  const members = ['tools', 'instructions', 'params', 'model'] as const
  if (members.some(name => one[name] !== other[name])) return false
  if (!(one instanceof LazyPrompt))
    return other instanceof LazyPrompt ? other.chose(one) : one.messages === other.messages
  return other instanceof LazyPrompt ? one.hasMessagesOf(other) : one.chose(other)
}

/**
 * `messages` is an accessor of the object itself, so that `{ ...prompt, instructions }` has the messages too. The same
 * two functions serve all prompts: with functions of its own each would need a hidden class of its own.
 */
class LazyPrompt implements Prompt {
  declare model?: Model
  declare messages: readonly Message[]
  tools: readonly ToolSpec[]
  instructions: string
  params: Prompt['params']
  readonly #tip: TreeNode | undefined
  /** The part of the instructions that counts as the agent's own. */
  #own: string | undefined
  /** The messages that a hook has put in place of the path. */
  #chosen: readonly Message[] | undefined
  #rewrites: readonly Rewrite[] = none
  /** The messages once they were read, rewrites included. Snapshots have the same holder. */
  #kept: { messages: readonly Message[] | undefined } = { messages: undefined }
  /** The newest snapshot: hooks one after the other that leave the prompt alone are traced with one. */
  #newest: LazyPrompt | undefined

  constructor(tip: TreeNode | undefined, tools: readonly ToolSpec[], instructions: string, params: Prompt['params']) {
    this.#tip = tip
    Object.defineProperty(this, 'messages', LazyPrompt.#accessor)
    this.tools = tools
    this.instructions = instructions
    this.params = params
  }

  get own(): string | undefined {
    return this.#own
  }
  set own(own: string) {
    this.#own = own
  }
  copy(): LazyPrompt {
    const copy = this.#from(this.#tip)
    copy.#chosen = this.#chosen
    copy.#kept.messages = this.#kept.messages
    return copy
  }
  /** A copy that nobody changes: whichever is read first reads the messages for both. The same one for as long as the prompt stays as it is. */
  snapshot(): LazyPrompt {
    if (this.#newest && isSamePrompt(this.#newest, this)) return this.#newest
    const snapshot = this.copy()
    snapshot.#kept = this.#kept
    this.#newest = snapshot
    return snapshot
  }
  /** This prompt for another tip, unless a hook chose the messages. */
  at(tip: TreeNode | undefined): LazyPrompt {
    return this.#tip === tip || this.#chosen ? this : this.#from(tip)
  }
  #from(tip: TreeNode | undefined): LazyPrompt {
    const other = new LazyPrompt(tip, this.tools, this.instructions, this.params)
    if (this.model) other.model = this.model
    other.#own = this.#own
    other.#rewrites = this.#rewrites
    return other
  }
  rewrite(rewrite: Rewrite): void {
    this.#rewrites = [...this.#rewrites, rewrite]
    this.#kept = { messages: undefined }
  }
  follows(tip: TreeNode | undefined): boolean {
    return this.#tip === tip && !this.#chosen && !this.#rewrites.length
  }
  /** True where a hook chose the messages, or changes those of the path. */
  get isRewritten(): boolean {
    return this.#chosen !== undefined || this.#rewrites.length > 0
  }
  /** True where both have the same path, chosen messages and rewrites. */
  hasMessagesOf(other: LazyPrompt): boolean {
    return this.#tip === other.#tip && this.#chosen === other.#chosen && this.#rewrites === other.#rewrites
  }
  /** True where the messages are those of a prompt that was put together by hand. */
  chose({ messages }: Prompt): boolean {
    return this.#chosen === messages && !this.#rewrites.length
  }
  /** True where `messages` were read from this prompt, and no hook chose them. */
  gave(messages: readonly Message[] | undefined): boolean {
    return !this.#chosen && messages !== undefined && messages === this.#kept.messages
  }

  static readonly #accessor: PropertyDescriptor & ThisType<LazyPrompt> = {
    enumerable: true,
    configurable: true,
    get() {
      const tip = this.#chosen ? undefined : this.#tip
      this.#kept.messages ??= this.#rewrites.reduce(
        (given, rewrite, i) => rewrite(given, i ? undefined : tip),
        this.#chosen ?? shownPath(tip),
      )
      // A guard may not change them in place either.
      return Object.isFrozen(this) ? Object.freeze(this.#kept.messages) : this.#kept.messages
    },
    set(messages: readonly Message[]) {
      // A guard sees a frozen prompt; freezing alone does not keep an accessor from being set.
      if (Object.isFrozen(this)) throw new TypeError('This prompt is read-only here.')
      this.#chosen = messages
      this.#kept = { messages }
      this.#rewrites = none
    },
  }
}
