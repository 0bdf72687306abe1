import type { ReactNode } from 'react'

interface Props {
  /** What is wrong with the form, in words. */
  readonly problem: string | undefined
  readonly save: string
  readonly cancel: () => void
}

/** The end of a form: what is wrong with it, and its buttons. */
export function FormEnd({ problem, save, cancel }: Props): ReactNode {
  return (
    <>
      {problem && (
        <p className="trial" role="alert" data-works="false">
          {problem}
        </p>
      )}
      <div className="settings-actions">
        <button type="submit" className="button primary small">
          {save}
        </button>
        <button type="button" className="button small" onClick={cancel}>
          Cancel
        </button>
      </div>
    </>
  )
}
