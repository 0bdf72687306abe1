import { TurnbuckleError } from '../base/errors.ts'
import { isMessage, type Message, plainMessage } from '../base/message.ts'
import type { Model, Prompt } from '../base/ports.ts'
import { openCallsAt } from '../history/open-calls.ts'
import { isOnPath, type TreeNode } from '../history/tree.ts'
import { Directive, isHard, type NotedDirective, type Snapshot } from '../hooks/directives.ts'
import type { StageFrame } from '../hooks/stage-frame.ts'
import { isPath } from '../model/prompt.ts'
import { record } from '../turn/record-message.ts'
import { tipId } from '../turn/snapshot.ts'
import type { TurnState } from '../turn/turn-state.ts'
import type { Checkpoint, NotedRecord, UnfinishedTurn } from './journal-port.ts'

/** The name of a stage's occurrence: the same whenever the turn is gone through again. */
export function keyOf(frame: StageFrame): string {
  if (frame.key !== undefined) return frame.key
  const above = frame.parent ? keyOf(frame.parent) : frame.turn.id
  const own = frame.stage.name === 'tool' ? `tool:${frame.call?.id}` : `s${frame.turn.step}.${frame.stage.name}`
  const count = frame.turn.occurrences.get(`${above}/${own}`) ?? 0
  frame.turn.occurrences.set(`${above}/${own}`, count + 1)
  frame.key = `${above}/${own}#${count}`
  return frame.key
}

/** An interrupt may come before the turn was gone through again: then it ends where the log ends. */
export function catchUp(turn: TurnState, past: UnfinishedTurn): void {
  const last = past.tip === undefined ? undefined : turn.conversation.tree.find(past.tip)
  if (!last || isOnPath(last, turn.tip)) return
  turn.tip = last
  turn.branchState = last.state
  turn.recorded = true
  turn.attempt = undefined
  turn.step = Math.max(turn.step, past.lastStep)
  turn.openCalls = openCallsAt(last)
  for (const { id } of turn.openCalls) {
    const ended = past.ended(id)
    if (ended) turn.finished.set(id, ended)
  }
}

/** Its before hooks have finished: they are not run again. */
export function noteEntered(frame: StageFrame): void {
  // A model that a hook chose is not in the log: the hooks choose it again, and what they changed is kept no sooner.
  if (frame.turn.over || chosenModel(frame)) return
  const input = encodeInput(frame)
  keepCheckpoint(frame, 'entered', { input, result: frame.status === 'open' ? undefined : encodeResult(frame) })
}

/** It is closed: nothing of it is run again. */
export function noteLeft(frame: StageFrame): void {
  if (frame.turn.over || frame.stage.name === 'turn' || frame.status === 'interrupted') return
  keepCheckpoint(frame, 'left', { result: encodeResult(frame) })
}

const chosenModel = ({ stage, input }: StageFrame): Model | undefined =>
  stage.name === 'model' ? (input as Prompt).model : undefined

function keepCheckpoint(
  frame: StageFrame,
  note: 'entered' | 'left',
  data: { input?: unknown; result?: unknown },
): void {
  const { turn, status } = frame
  turn.stateNotes.flush()
  const noted = frame.sink.slice(frame.notedFrom).map(encodeNoted)
  const { steps, jumps, edits, more, usage, shared, instructions, tip, branchState } = turn
  turn.journal?.note(turn.id, {
    note,
    key: keyOf(frame),
    status,
    ...data,
    noted,
    decisions: turn.decisions.slice(frame.decidedFrom).filter(({ callId }) => !frame.call || callId === frame.call.id),
    tip: tip?.id,
    steps,
    jumps,
    edits,
    more,
    usage,
    branch: branchState === tip?.state ? undefined : branchState,
    shared: shared && [...shared],
    instructions,
  })
}

/** Whether the log says that it was closed; then it is as it was. */
export function wasLeft(frame: StageFrame): boolean {
  const { turn } = frame
  const checkpoint = turn.past?.left(keyOf(frame))
  if (!checkpoint) return false
  turn.steps = Math.max(turn.steps, checkpoint.steps)
  turn.jumps = checkpoint.jumps
  if (frame.stage.name === 'step') turn.openCalls = []
  restore(frame, checkpoint)
  if (checkpoint.more !== undefined || frame.stage.name === 'step') turn.more = checkpoint.more
  return true
}

/** Whether the log says that its before hooks have finished; then it goes on after them. */
export function wasEntered(frame: StageFrame): boolean {
  const checkpoint = frame.turn.past?.entered(keyOf(frame))
  if (!checkpoint) return false
  if (checkpoint.input !== undefined) decodeInput(frame, checkpoint.input)
  restore(frame, checkpoint)
  frame.reached = Number.MAX_SAFE_INTEGER
  frame.resumed = true
  return true
}

function restore(frame: StageFrame, checkpoint: Checkpoint): void {
  const { turn } = frame
  frame.status = checkpoint.status
  frame.result = decodeResult(frame, checkpoint.result)
  // Calls that ran side by side did not end in the order they are gone through: of the turn itself the last word counts.
  if (checkpoint.order >= turn.restoredTo) restoreTurn(frame, checkpoint)
  turn.decisions.push(...checkpoint.decisions)
  for (const record of checkpoint.noted) {
    const noted = decodeNoted(turn, record)
    frame.sink.push(noted)
    if (isHard(noted.directive.type)) turn.halted = true
  }
}

function restoreTurn({ turn, stage }: StageFrame, checkpoint: Checkpoint): void {
  turn.restoredTo = checkpoint.order
  if (checkpoint.tip !== undefined && stage.name !== 'append')
    turn.tip = turn.conversation.tree.find(checkpoint.tip) ?? turn.tip
  turn.branchState = checkpoint.branch ?? turn.tip?.state ?? {}
  turn.edits = checkpoint.edits
  if (checkpoint.shared) turn.shared = new Map(checkpoint.shared)
  if (Array.isArray(checkpoint.instructions)) turn.instructions = checkpoint.instructions
}

function encodeNoted({ directive, decision }: NotedDirective): NotedRecord {
  const { type, reason, say } = directive
  return { type, reason, say, value: encodeValue(directive), decision }
}

function encodeValue({ type, value }: Directive): unknown {
  if (type === 'fail') return value instanceof Error ? value.message : String(value)
  if (type === 'goto' && typeof value !== 'string') return undefined
  if (type !== 'rewind') return value
  const { to, message } = value as { to: Snapshot | number | string; message?: string }
  return typeof to === 'object' ? { snapshot: tipId(to), message } : { to, message }
}

function decodeNoted(turn: TurnState, { type, reason, say, value, decision }: NotedRecord): NotedDirective {
  const given = value as { snapshot?: string; to?: unknown; message?: string } | string | undefined
  let restored: unknown = value
  if (type === 'fail') restored = new TurnbuckleError('turn.failed', String(value))
  if (type === 'rewind' && typeof given === 'object' && 'snapshot' in given)
    restored = {
      to: { kind: 'snapshot', tip: turn.conversation.tree.find(given.snapshot ?? ''), instructions: [] },
      message: given.message,
    }
  if (type === 'goto' && value === undefined)
    return {
      directive: new Directive(
        'fail',
        'The pipeline to go on with is not in the log.',
        new TurnbuckleError(
          'resume.pipeline',
          'The turn was handed to another pipeline, which the log cannot hold. Send the message again.',
        ),
      ),
      decision,
    }
  return {
    directive: new Directive(type, reason, restored, say),
    decision:
      turn.decisions.find(
        known =>
          known.at === decision.at &&
          known.callId === decision.callId &&
          known.by === decision.by &&
          known.step === decision.step &&
          known.directive === decision.directive,
      ) ?? decision,
  }
}

function plainInput(stage: string, input: unknown): unknown {
  if (stage === 'step' || stage === 'decide') return undefined
  return isMessage(input) ? plainMessage(input) : input
}

/** A prompt's messages are on the tree already, unless a hook has put others in their place. */
function encodeInput({ stage, input, turn }: StageFrame): unknown {
  if (stage.name !== 'model' && stage.name !== 'generate') return plainInput(stage.name, input)
  const { tools, instructions, params } = input as Prompt
  return {
    messages: isPath(input as Prompt, turn.tip) ? undefined : (input as Prompt).messages,
    tools: tools === turn.agent.specs ? undefined : tools,
    instructions,
    params,
  }
}

function decodeInput(frame: StageFrame, input: unknown): void {
  if (frame.stage.name !== 'model' && frame.stage.name !== 'generate') {
    frame.input = input
    if (frame.stage.name === 'tool') frame.call = input as StageFrame['call']
    return
  }
  const { messages, tools, instructions, params } = input as Partial<Prompt>
  const prompt = frame.input as Prompt
  frame.input = { ...prompt, messages: messages ?? prompt.messages, tools: tools ?? prompt.tools, instructions, params }
}

function encodeResult({ stage, result }: StageFrame): unknown {
  return stage.name === 'append' ? (result as TreeNode | undefined)?.id : result
}

function decodeResult(frame: StageFrame, result: unknown): unknown {
  if (frame.stage.name !== 'append' || typeof result !== 'string') return result
  const node = frame.turn.conversation.tree.find(result)
  return node && record(frame.turn, node.message as Message)
}
