import { useAppState } from './app-state.ts'

const { getState: get, setState: set, subscribe } = useAppState

/** Messages of this page are sent one at a time: each waits until the one before has arrived, or has failed. */
export async function sendOneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  // Not a wait in any case: a second press in the same moment must see that the first is on its way.
  while (get().sending) await untilArrived()
  set({ sending: true })
  try {
    return await work()
  } finally {
    set({ sending: false })
  }
}

/** Resolves when the message that is on its way has arrived, or has failed. */
export async function untilArrived(): Promise<void> {
  while (get().sending)
    await new Promise<void>(resolve => {
      const stop = subscribe(() => {
        stop()
        resolve()
      })
    })
}
