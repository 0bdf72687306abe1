import { useAppState } from './app-state.ts'

const { getState: get, setState: set } = useAppState

/** Messages of this page are sent one at a time: a second press while the first is on its way gives `undefined`. */
export async function sendOneAtATime<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  if (get().sending) return undefined
  set({ sending: true })
  try {
    return await work()
  } finally {
    set({ sending: false })
  }
}
