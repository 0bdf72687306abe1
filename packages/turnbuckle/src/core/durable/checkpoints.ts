import { isMessage, plainMessage } from '../base/message.ts'
import { Directive, directiveTable, type NotedDirective } from '../directives/directives.ts'
import { allEntered } from '../hooks/stage-frame.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { Checkpoint, NotedRecord } from '../types/unfinished-turn.ts'

/** Given by a stage's `toLog.input` where its before hooks must run again after a crash. */
export const notLogged: unique symbol = Symbol('not logged')

/** A stage's input as the log keeps it: the stage says how, or it is plain data already. */
export function inputToLog(frame: StageFrame): unknown {
  const { stage, input } = frame
  if (stage.toLog?.input) return stage.toLog.input(frame)
  return isMessage(input) ? plainMessage(input) : input
}
const resultToLog = (frame: StageFrame): unknown =>
  frame.stage.toLog?.result ? frame.stage.toLog.result(frame) : frame.result

/** Facts of a stage that is entered. */
interface Entered {
  readonly input: unknown
  readonly within: readonly string[]
}

/** Keeps what a finished chain of hooks leaves behind, so that it is not run again. */
export function keepCheckpoint(frame: StageFrame, note: 'entered' | 'left', key: string, entered?: Entered): void {
  const { turn, status } = frame
  const { branch, steering, spent, hookData } = turn
  turn.stateLog.flush()
  turn.journal?.note(turn.id, {
    note,
    key,
    stage: frame.stage.name,
    status,
    // Member by member, since a spread among them makes the whole note slow to make.
    input: entered?.input,
    within: entered?.within,
    result: note === 'left' || status !== 'open' ? resultToLog(frame) : undefined,
    noted: frame.noted.list.slice(frame.notedFrom).map(noted => notedToLog(frame, noted)),
    decisions: steering.decisions
      .slice(frame.decidedFrom)
      .filter(({ callId, agent }) => !frame.call || (agent?.callId ?? callId) === frame.call.id),
    tip: branch.tip?.id,
    steps: spent.modelStages,
    jumps: steering.jumps,
    edits: branch.edits,
    more: turn.step.wantsMore,
    decidedBy: turn.step.decidedBy,
    usage: spent.usage,
    branch: branch.state === branch.tip?.state ? undefined : branch.state,
    shared: hookData.shared && [...hookData.shared],
    instructions: hookData.instructions,
    reached: note === 'entered' && frame.reached !== allEntered ? frame.reached : undefined,
    refused: note === 'entered' && frame.problem !== undefined ? true : undefined,
    offered: turn.calls.offered?.map(({ name }) => name),
  })
}

/** Puts a stage back to where a checkpoint left it. `newest`: no later checkpoint of the turn has been restored yet. */
export function restoreCheckpoint(frame: StageFrame, checkpoint: Checkpoint, newest: boolean): void {
  const { turn, stage } = frame
  frame.status = checkpoint.status
  frame.result = stage.fromLog?.result ? stage.fromLog.result(frame, checkpoint.result) : checkpoint.result
  if (newest) restoreTurn(frame, checkpoint)
  turn.steering.list(...checkpoint.decisions)
  for (const record of checkpoint.noted) {
    const noted = notedFromLog(frame, record)
    frame.noted.note(noted)
    if (directiveTable[noted.directive.type].hard) turn.halt(noted)
  }
}

function restoreTurn({ turn, stage }: StageFrame, checkpoint: Checkpoint): void {
  const { branch, hookData } = turn
  // A stage that records messages moves the tip itself.
  const known = checkpoint.tip === undefined || stage.required ? undefined : turn.conversation.tree.find(checkpoint.tip)
  const tip = known ?? branch.tip
  branch.moveTo(tip, checkpoint.branch ?? tip?.state ?? {})
  branch.restoreEdits(checkpoint.edits)
  if (checkpoint.shared) hookData.restoreShared(checkpoint.shared)
  if (Array.isArray(checkpoint.instructions)) hookData.setInstructions(checkpoint.instructions)
  const { offered } = checkpoint
  turn.calls.offer(offered && turn.agent.toolsOf(turn).specs.filter(({ name }) => offered.includes(name)))
}

function notedToLog(frame: StageFrame, { directive, decision }: NotedDirective): NotedRecord {
  const { type, reason, say, value } = directive
  return { type, reason, say, value: directiveTable[type].toLog(value, frame.turn.agent.pipelines), decision }
}

function notedFromLog(frame: StageFrame, { type, reason, say, value, decision }: NotedRecord): NotedDirective {
  const logged = new Directive(type, reason, value, say)
  const directive = directiveTable[type].fromLog(logged, frame.turn.conversation.tree, frame.turn.agent.pipelines)
  const listed = frame.turn.steering.decisions.find(
    known =>
      !known.agent &&
      known.at === decision.at &&
      known.callId === decision.callId &&
      known.by === decision.by &&
      known.step === decision.step &&
      known.directive === decision.directive,
  )
  // A directive that could not be read back fails the turn under its own decision.
  return { directive, decision: directive.type === type ? (listed ?? decision) : decision }
}
