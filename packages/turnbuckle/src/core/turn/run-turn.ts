import { messageOf, TurnbuckleError } from '../base/errors.ts'
import { asMessage, textOf } from '../base/message.ts'
import { closeOpenCalls } from '../events/close-open-calls.ts'
import { startedEvent } from '../events/event-makers.ts'
import { HookFailure } from '../hooks/call-hook.ts'
import { leaveReopened } from '../hooks/leave-reopened.ts'
import { callAfterHooks, openStage } from '../hooks/open-stage.ts'
import { guardText, textGuards } from '../model/guard-text.ts'
import type { Journal } from '../types/journal.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnResult } from '../types/turn.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { UnfinishedTurn } from '../types/unfinished-turn.ts'
import { endTurn } from './end-turn.ts'
import { endAsNoted } from './follow-directive.ts'
import { abandonTurn } from './park-turn.ts'
import { settleTurn } from './settle-turn.ts'
import { turnResult, withUsage } from './turn-result.ts'

/** Works a turn to its end. Never rejects: whatever goes wrong is the turn's outcome. */
export async function runTurn(turn: TurnState): Promise<void> {
  const root = turn.openRoot()
  try {
    if (turn.journal) await beginOnLog(turn, turn.journal)
    if (!turn.over) await openStage(root)
    await leaveReopened(turn, callAfterHooks)
    if (!turn.over) endTurn(turn, withUsage(turn, await outcomeOfTurn(root)))
  } catch (error) {
    failTurn(turn, error)
  }
  if (turn.phase !== 'parked') turn.release()
  // Parked while it waited to become the writer: it has become that since, and would stay it.
  else turn.journal?.release().catch(nothing)
}
const nothing = () => {}

/** A turn that could not begin may be resumed when the reason is gone. */
function failTurn(turn: TurnState, error: unknown): void {
  if (turn.phase === 'waiting') {
    if (turn.replay.past) turn.conversation.unfinished.set(turn.id, turn.replay.past)
    abandonTurn(turn, error)
  }
  if (turn.over) return
  turn.settle({ status: 'failed', reason: turn.hooks.clean(messageOf(error)), by: 'turn', error })
  endTurn(turn, withUsage(turn, turnResult(turn)))
}

/** On a log: becomes the writer; the message is durable before anything is done about it. */
async function beginOnLog(turn: TurnState, journal: Journal): Promise<void> {
  await journal.open()
  await journal.readAll()
  const { branch, conversation, message, replay } = turn
  const isNamed = turn.link.isNamed && !replay.past
  const status = isNamed ? await journal.turnStatus(turn.id) : undefined
  if (turn.over) return
  // This process may have begun one under the id while the store was asked.
  if (status !== undefined || (isNamed && journal.hasBegun(turn.id))) throw known(turn.id)
  // Another process may have moved on, and ended in the middle of calls.
  if (!replay.past && branch.origin) branch.startAt(closeOpenCalls(conversation, branch.origin))
  conversation.outsideTurns?.tellQueued()
  // The guards of this turn alone, and of whoever called this sub-agent, protect it as well.
  const { guards } = turn.hooks
  if (replay.past) resumeOnLog(turn, replay.past, guards)
  else {
    turn.tell(startedEvent(turn))
    journal.note(turn.id, {
      note: 'turn',
      message,
      parentId: branch.origin?.id,
      guards,
      client: turn.link.client,
      ...(turn.link.goesOn ? { goesOn: true } : {}),
      format: 2,
    })
  }
  turn.begin()
  await journal.barrier()
}

const known = (turnId: string) =>
  new TurnbuckleError('turn.known', `The log has the turn "${turnId}" already: resume it if it has not ended.`, {
    kind: 'store',
  })

function resumeOnLog(turn: TurnState, past: UnfinishedTurn, guards: readonly string[]): void {
  const missing = past.guards.filter(name => !guards.includes(name))
  if (missing.length)
    throw new TurnbuckleError(
      'guard.missing',
      `The turn was protected by ${missing.join(', ')}. Add it again to resume.`,
    )
  withdrawAbandoned(turn, past)
}

/** Text that was shown of an attempt stays in the log: it is seen until the model has spoken again. */
function withdrawAbandoned(turn: TurnState, { abandoned, partial }: UnfinishedTurn): void {
  for (const messageId of abandoned) {
    const text = messageId === partial?.messageId ? partial.text : ''
    turn.tell({ type: 'message.discarded', messageId, reason: 'the process ended', ...(text ? { text } : {}) })
  }
}

async function outcomeOfTurn(root: StageFrame): Promise<TurnResult> {
  const { turn } = root
  const { steering } = turn
  if (!steering.ending) return endWithoutLoop(root)
  const result = await withGuardedText(root, (root.result as TurnResult | undefined) ?? turnResult(turn))
  // Only a failure outranks an ending: of a hook of the turn, or of what recorded the end; and so does a stop that a hook has failed by.
  const failed = steering.noted.list.some(
    ({ directive }) => directive.type === 'fail' || directive instanceof HookFailure,
  )
  if (!failed || steering.ending.status === 'failed') return result
  steering.dropEnding()
  endAsNoted(turn)
  const { status, reason, by, error } = turnResult(turn)
  return error === undefined ? { ...result, status, reason, by } : { ...result, status, reason, by, error }
}

/** The result, with a text that a hook of the turn has written shown to guards first; without it where one refused. */
async function withGuardedText(root: StageFrame, result: TurnResult): Promise<TurnResult> {
  const { turn } = root
  const { text } = result
  if (!text || !root.hooks.onChunk.length || text === turnResult(turn).text) return result
  const message = asMessage(text, 'assistant', turn.ids.of('result'))
  const guards = textGuards(root, message)
  return guards.length ? { ...result, text: textOf(await guardText(root, guards, message)) } : result
}

/** A hook has answered or ended the turn without the loop, or the turn's own stage broke. */
async function endWithoutLoop(root: StageFrame): Promise<TurnResult> {
  const { turn, decided, status } = root
  turn.setMessage(asMessage(root.input, 'user', turn.message.id))
  endAsNoted(turn)
  if (root.result !== undefined && (status === 'done' || decided?.directive === 'skip')) {
    const { text } = root.result as TurnResult
    turn.settle({ status: 'completed', reason: 'skip', by: decided?.by ?? 'turn', say: text })
  }
  await settleTurn(root)
  return turnResult(turn)
}
