import { Frame } from './frame.ts'
import { perform } from './perform.ts'
import { resultOf } from './result.ts'
import type { Run } from './run.ts'
import { settleTurn } from './settle.ts'
import type { TurnResult } from './turn.ts'

/** Works a turn to its end. Never throws: whatever goes wrong is the turn's outcome. */
export async function work(run: Run): Promise<void> {
  const root = new Frame(run, run.pipeline.part('turn'), undefined, run.message)
  run.root = root
  try {
    if (!run.over) await perform(root)
    if (!run.over) run.conclude(await outcome(root))
  } catch (error) {
    if (!run.over) {
      run.ending = { status: 'failed', reason: String(error), by: 'turn', error }
      run.conclude(resultOf(run))
    }
  }
  run.release()
}

async function outcome(root: Frame): Promise<TurnResult> {
  const { run } = root
  if (!run.ending) return withoutLoop(root)
  const result = (root.result as TurnResult | undefined) ?? resultOf(run)
  if (!run.noted.length) return result
  // An after hook of the turn has failed it.
  run.ending = undefined
  run.endAsNoted()
  const { status, reason, by, error } = resultOf(run)
  return { ...result, status, reason, by, error }
}

/** A before hook has answered or ended the turn, or its body broke. */
async function withoutLoop(root: Frame): Promise<TurnResult> {
  const { run } = root
  run.endAsNoted()
  if (root.status === 'skipped' && root.decided?.directive === 'skip') {
    const say = (root.result as TurnResult).text
    run.ending = { status: 'completed', reason: 'skip', by: root.decided.by, say }
  }
  await settleTurn(root)
  return resultOf(run)
}
