import { type ReactNode, useState } from 'react'

/** Puts the code into the address, and the address onto the clipboard where the browser allows that. */
export function ShareButton({ share }: { readonly share: () => Promise<string> }): ReactNode {
  const [said, setSaid] = useState('')
  const copy = async () => {
    const address = await share()
    try {
      await navigator.clipboard.writeText(address)
      setSaid('Link copied')
    } catch {
      setSaid('The link is in the address bar')
    }
  }
  return (
    <>
      <button type="button" className="link" onClick={() => void copy()}>
        Copy link
      </button>
      <span className="shared" role="status">
        {said}
      </span>
    </>
  )
}
