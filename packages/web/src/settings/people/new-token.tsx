import { type ReactNode, useEffect, useRef } from 'react'
import type { WirePerson } from 'turnbuckle/client'
import { CopyButton } from '../../ui/copy-button.tsx'

interface Props {
  readonly person: WirePerson & { readonly token: string }
  readonly done: () => void
}

/** The token of a person who was just made, this once. */
export function NewToken({ person: { name, role, token }, done }: Props): ReactNode {
  const link = `${location.origin}/#token=${token}`
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="settings-card new-token" aria-labelledby="new-token">
      <h3 id="new-token" ref={heading} tabIndex={-1}>
        The link for {name}, a {role}
      </h3>
      <p>It is shown this once. Whoever has it is {name} here.</p>
      <p className="new-token-link">
        <code className="inline-code">{link}</code>
        <CopyButton text={link} label="Copy the link" />
      </p>
      <button type="button" className="button small" onClick={done}>
        Done
      </button>
    </section>
  )
}
