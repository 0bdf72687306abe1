import type { ReactNode } from 'react'
import type { SwitchScope } from '../conversation/loading/load-middleware.ts'
import { Modal } from '../ui/modal.tsx'

interface Props {
  readonly name: string
  /** For whom this person may switch it here. */
  readonly scopes: readonly SwitchScope[]
  readonly choose: (scope: SwitchScope) => void
  readonly cancel: () => void
}

const labels = { conversation: 'Off in this conversation', everyone: 'Off for everyone' } as const

/** Asks for whom a guard is switched off. The button with the focus keeps it on: a stray Enter switches nothing. */
export function SwitchOffDialog({ name, scopes, choose, cancel }: Props): ReactNode {
  return (
    <Modal label={`Switch off ${name}?`} close={cancel}>
      <h2 className="modal-title">Switch off {name}?</h2>
      <p>
        It is a guard: without it, calls run that it would have asked about or blocked. Deny rules hold regardless. A
        strip over every chat says so for as long as it is off, also after a restart.
      </p>
      <div className="modal-actions">
        {/* biome-ignore lint/a11y/noAutofocus: the safe answer to a question that has just been asked */}
        <button type="button" className="button" onClick={cancel} autoFocus>
          Keep it on
        </button>
        {scopes.map(scope => (
          <button key={scope} type="button" className="button danger" onClick={() => choose(scope)}>
            {labels[scope]}
          </button>
        ))}
      </div>
    </Modal>
  )
}
