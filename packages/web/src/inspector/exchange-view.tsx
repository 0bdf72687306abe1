import { type ReactNode, useState } from 'react'
import type { WireExchange } from 'turnbuckle/client'
import { CopyButton } from '../ui/copy-button.tsx'

interface Props {
  readonly exchange: WireExchange
  /** The attempt's number, where a stage made several. */
  readonly attempt: number | undefined
  /** Asks for the whole of a call that is known in short. */
  readonly onLoad: () => void
}

/** A model call: the request as the provider's package got it, and what came back. */
export function ExchangeView({ exchange, attempt, onLoad }: Props): ReactNode {
  const [open, setOpen] = useState(false)
  const toggle = (isOpen: boolean) => {
    setOpen(isOpen)
    if (isOpen && exchange.isShort) onLoad()
  }
  const { model, sent, received, error } = exchange
  return (
    <details className="change exchange" onToggle={event => toggle(event.currentTarget.open)}>
      <summary>
        {attempt === undefined ? '' : `attempt ${attempt}: `}sent to {model}, and what came back
      </summary>
      {open && (
        <>
          <Text label="Sent" text={sent} />
          <Text label="Came back" text={received} />
          {error !== undefined && <p className="span-error">{error}</p>}
        </>
      )}
    </details>
  )
}

function Text({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return (
    <figure className="exchange-text" aria-label={label}>
      <figcaption>
        {label}
        <CopyButton text={text} label={`Copy: ${label}`} size={14} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long requests are scrolled with the keyboard */}
      <pre className="value" tabIndex={0}>
        {text || '(nothing)'}
      </pre>
    </figure>
  )
}
