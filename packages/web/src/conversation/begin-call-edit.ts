import { useAppState } from '../state/app-state.ts'

const addEdited = (count: number) => useAppState.setState(({ editedCalls }) => ({ editedCalls: editedCalls + count }))

/** Tells the page that a call is being edited, so that no key in the composer allows it as it was asked. Returns what ends the edit. */
export function beginCallEdit(): () => void {
  addEdited(1)
  return () => addEdited(-1)
}
