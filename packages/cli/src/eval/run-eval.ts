import { createAgent, type Middleware, type Model, type TurnResult } from 'turnbuckle'
import { timeLimit } from 'turnbuckle/middleware'
import { workspaceTools } from 'turnbuckle/tools'
import type { EvalTask } from './eval-task.ts'
import { TaskRepository } from './task-repository.ts'

/** A model with a set of middleware: a column of the comparison. */
export interface EvalSubject {
  readonly model: string
  readonly set: string
  /** A model for a task. */
  modelFor(task: EvalTask): Promise<Model>
  /** Middleware for a task, made anew. */
  use(): Promise<readonly Middleware[]>
}

/** The outcome of one task with one model and set. */
export interface EvalOutcome {
  readonly task: string
  readonly model: string
  readonly set: string
  /** True where the task's tests passed at the end. */
  readonly passed: boolean
  readonly status: TurnResult['status']
  readonly reason: string
  readonly steps: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Absent where a price is not known. */
  readonly cost?: number
  readonly ms: number
  /** The repository, where it was kept. */
  readonly folder?: string
}

export interface EvalOptions {
  readonly maxSteps: number
  /** Milliseconds of a task. */
  readonly maxMs: number
  readonly keep: boolean
  /** Tasks at once. */
  readonly parallel: number
  /** How often each task is tried. */
  readonly runs: number
  readonly now?: () => number
  readonly onOutcome?: (outcome: EvalOutcome) => void
}

const instructions = [
  'You work in a small repository. Do what is asked by changing files, then run the tests with `node --test`, and go on until they pass.',
  'Do not change the tests. Answer with one sentence when you are done.',
].join(' ')

/** Tries every task with every subject. A task that fails, or an agent that throws, is an outcome; nothing is thrown for it. */
export async function runEval(
  tasks: readonly EvalTask[],
  subjects: readonly EvalSubject[],
  options: EvalOptions,
): Promise<readonly EvalOutcome[]> {
  const jobs = subjects.flatMap(subject =>
    tasks.flatMap(task => Array.from({ length: options.runs }, () => ({ subject, task }))),
  )
  const outcomes: EvalOutcome[] = []
  let next = 0
  const work = async () => {
    for (let job = jobs[next++]; job; job = jobs[next++]) {
      const outcome = await runTask(job.task, job.subject, options)
      outcomes.push(outcome)
      options.onOutcome?.(outcome)
    }
  }
  await Promise.all(Array.from({ length: options.parallel }, work))
  return outcomes
}

async function runTask(task: EvalTask, subject: EvalSubject, options: EvalOptions): Promise<EvalOutcome> {
  const { maxSteps, maxMs, keep, now = () => performance.now() } = options
  const repository = await TaskRepository.make(task)
  const agent = createAgent({
    name: 'eval',
    model: await subject.modelFor(task),
    instructions,
    tools: workspaceTools({ root: repository.root, shell: true }),
    maxSteps,
    use: [timeLimit({ max: maxMs }), ...(await subject.use())],
  })
  const began = now()
  const turn = agent.send(task.prompt)
  // Nobody is here to ask.
  void answerAll(turn)
  const { status, reason, steps, usage } = await turn.settled
  const ms = Math.round(now() - began)
  const passed = await repository.passes()
  await agent.close()
  if (!keep) await repository.remove()
  const { inputTokens, outputTokens, cost } = usage
  return {
    task: task.name,
    model: subject.model,
    set: subject.set,
    passed,
    status,
    reason,
    steps,
    inputTokens,
    outputTokens,
    ...(cost === undefined ? {} : { cost }),
    ms,
    ...(keep ? { folder: repository.root } : {}),
  }
}

/** Permissions are given, as `--yes` says; any other question gets its fallback. */
async function answerAll(turn: ReturnType<ReturnType<typeof createAgent>['send']>): Promise<void> {
  for await (const event of turn) {
    if (event.type !== 'request.opened' || turn.ended) continue
    if (event.kind === 'permission') turn.answer(event.requestId, { decision: 'allow', scope: 'once' })
    else turn.expire(event.requestId)
  }
}
