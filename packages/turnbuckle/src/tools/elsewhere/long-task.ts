import { TurnbuckleError } from '../../core/base/errors.ts'
import type { Maybe } from '../../core/base/maybe.ts'
import { type NewMessage, plainPart } from '../../core/base/message.ts'
import type { Store } from '../../core/durable/log-port.ts'
import type { TurnState } from '../../core/types/turn-state.ts'

/** A store that keeps values beside its logs. */
interface Values {
  get(space: string, key: string): Maybe<unknown>
  set(space: string, key: string, value: unknown, expiresAt?: number): Maybe<void>
}

const space = 'tools.tasks'
/** Characters of a task that a message to another process takes. */
const longestMessage = 200_000
/** A task whose caller was lost is no longer kept. */
const day = 24 * 60 * 60 * 1000
const tryAgainMs = 200
/** The codes of a store that says the same however often it is asked. */
const lasting: readonly string[] = ['store.damaged', 'store.newer', 'store.closed']

/** True for a task that goes by way of the store: a long one, or one with more than words. */
export const isLong = (task: string | NewMessage): boolean => typeof task !== 'string' || task.length > longestMessage

export const valuesOf = (store: Store | undefined): Values | undefined =>
  store && 'get' in store && 'set' in store ? (store as Store & Values) : undefined

/** A task in the store. */
export interface KeptTask {
  readonly key: string
  forget(): Promise<void>
}

/** Keeps a sub-agent's task for as long as it is worked on elsewhere, under a key of its own: whoever goes on with the caller keeps it anew. */
export async function keepTask(caller: TurnState, task: string | NewMessage): Promise<KeptTask> {
  const key = crypto.randomUUID()
  const values = valuesOf(caller.agent.store)
  const plain =
    typeof task === 'string' || typeof task.content === 'string'
      ? task
      : { ...task, content: task.content.map(plainPart) }
  const until = caller.agent.clock.now() + day
  await whileStoreIsDown(caller, async () => values?.set(space, key, plain, until))
  return { key, forget: async () => values?.set(space, key, undefined) }
}

/** The task that a caller has kept; `undefined` where its caller has forgotten it, or its day is over. */
export const keptTask = async (store: Store | undefined, key: string): Promise<string | NewMessage | undefined> =>
  (await valuesOf(store)?.get(space, key)) as string | NewMessage | undefined

/** Asks a store again that does not answer, for as long as the caller's turn is not over: what was done must not be lost for that. */
export async function whileStoreIsDown<Result>(
  caller: Pick<TurnState, 'agent' | 'over'>,
  act: () => Promise<Result>,
): Promise<Result> {
  for (;;)
    try {
      return await act()
    } catch (error) {
      const mayPass = error instanceof TurnbuckleError && error.kind === 'store' && !lasting.includes(error.code)
      if (!mayPass || caller.over) throw error
      await pauseOf(caller)
    }
}

/** Waits a little before something is tried again for a caller. */
export const pauseOf = ({ agent }: Pick<TurnState, 'agent'>): Promise<void> =>
  new Promise<void>(resolve => agent.clock.after(tryAgainMs, resolve))
