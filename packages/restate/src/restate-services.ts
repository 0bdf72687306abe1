import {
  type DurablePromise,
  type EndpointOptions,
  type ObjectContext,
  object,
  RestatePromise,
  TerminalError,
  type WorkflowContext,
  type WorkflowDefinition,
  workflow,
} from '@restatedev/restate-sdk'
import type {
  ScheduledOrder,
  SubAgentOrder,
  SubAgentStand,
  TurnOrder,
  TurnStand,
  TurnWorker,
  WaitingRequest,
} from '@turnbuckle/server'

/** The virtual object of a conversation, under its id: Restate runs one of its exclusive handlers at a time. */
export const conversationService = 'turnbuckle-conversation'
/** The workflow of a turn: it waits for the engine's timers and for answers, and no process has to hold it meanwhile. */
export const turnService = 'turnbuckle-turn'

/** The key of a turn's workflow: a turn's id is unique within its conversation only. */
export const keyOf = ({ conversationId, turnId }: TurnOrder): string => `${conversationId}~${turnId}`

const hour = 3_600_000
/** A turn that waits for people is looked at this often: where all who knew of its answer or end were lost, nobody else would wake it. */
const lookAgain = 24 * hour
/**
 * A turn is not in Restate's journal but in our log, so a long one looks inactive to Restate. A worker that is gone shows by its
 * connection, and a hung call by the time limits of the turn.
 */
const patience = { inactivityTimeout: hour, abortTimeout: 24 * hour }
/** A turn that waits for a worker or a person holds no connection for longer. */
const suspended = { inactivityTimeout: 1000 }
/** A turn that was cut off is tried for as long as it takes: nothing else would end it. */
const retryPolicy = { initialInterval: 100, maxInterval: 2000, exponentiationFactor: 2 }

/** The two services of a worker. */
export function restateServices(worker: TurnWorker): NonNullable<EndpointOptions['services']> {
  const conversation = object({
    name: conversationService,
    handlers: {
      // What it gives is kept before it is given: a call that was cut off in between gives the same again, though the turn has moved on.
      work: (ctx: ObjectContext, order: TurnOrder): Promise<TurnStand> => ctx.run('work', () => worker.work(order)),
      /** The sub-agent whose conversation this is works for a turn of another. */
      workForCaller: (ctx: ObjectContext, order: SubAgentOrder): Promise<SubAgentStand> =>
        ctx.run('work', () => worker.workForCaller(order)),
    },
    options: { ...patience, retryPolicy, journalRetention: 0, idempotencyRetention: hour },
  })
  const turn = workflow({
    name: turnService,
    handlers: {
      /** Works on a turn until it has ended. While it waits for people the invocation is suspended. */
      run: async (ctx: WorkflowContext, order: TurnOrder): Promise<TurnStand> => {
        const work = () => ctx.objectClient<typeof conversation>(conversation, order.conversationId).work(order)
        let stand = isScheduled(order) ? await workWhenDue(ctx, worker, order, work) : await work()
        while (stand.state === 'waiting') {
          await anyEnd(ctx, stand.requests, lookAgain)
          stand = await work()
        }
        return stand
      },
      /** Requests of the turn have ended: it goes on, on any worker. */
      wake: async (ctx: Pick<WorkflowContext, 'promise'>, answered: readonly string[]): Promise<void> => {
        for (const id of answered) await resolveOnce(ctx.promise<boolean>(id))
      },
    },
    options: { ...suspended, retryPolicy },
  })
  return [conversation, turn]
}

type Run = (ctx: WorkflowContext, order: TurnOrder) => Promise<TurnStand>
const turns: WorkflowDefinition<typeof turnService, { run: Run }> = { name: turnService }

const isScheduled = (order: TurnOrder): order is ScheduledOrder => order.due !== undefined

/**
 * Works on a turn once its time has come, or its schedule is cancelled, and has Restate keep the order behind it. That is asked for once
 * the turn has ended or waits for people: turns that take longer than the time between them do not pile up.
 */
async function workWhenDue(
  ctx: WorkflowContext,
  worker: TurnWorker,
  order: ScheduledOrder,
  work: () => Promise<TurnStand>,
): Promise<TurnStand> {
  const { schedule, at } = order.due
  await anyEnd(ctx, [{ id: schedule, deadline: at }])
  try {
    return await work()
  } finally {
    const next = await ctx.run('next', async () => (await worker.next(order)) ?? null)
    if (next) ctx.workflowSendClient(turns, keyOf(next)).run(next)
  }
}

/** A request that has ended is told again and again; the second time its promise refuses. */
async function resolveOnce(promise: DurablePromise<boolean>): Promise<void> {
  try {
    if ((await promise.peek()) === undefined) await promise.resolve(true)
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
  }
}

/** Waits for an answer or a deadline, for so many milliseconds at most. A request that was answered before this is called has its promise resolved. */
async function anyEnd(ctx: WorkflowContext, requests: readonly WaitingRequest[], atMost = Infinity): Promise<void> {
  const now = await ctx.date.now()
  if (!requests.length) return
  const answers = requests.map(({ id }) => ctx.promise<boolean>(id).get())
  const due = Math.min(atMost, ...requests.map(({ deadline = Infinity }) => deadline - now))
  const timer = due === Infinity ? [] : [ctx.sleep(Math.max(0, due))]
  await RestatePromise.race([...answers, ...timer] as RestatePromise<unknown>[])
}
