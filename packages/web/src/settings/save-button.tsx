import type { ReactNode } from 'react'

/** Sends a form where something was changed. It stays in the order of the keyboard all the same: once it has saved, it still has the focus. */
export function SaveButton({ changed }: { readonly changed: boolean }): ReactNode {
  return (
    <button
      type="submit"
      className="button primary small"
      aria-disabled={!changed}
      onClick={event => {
        if (!changed) event.preventDefault()
      }}
    >
      Save
    </button>
  )
}
