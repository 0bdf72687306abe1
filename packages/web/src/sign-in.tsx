import { type FormEvent, type ReactNode, useState } from 'react'
import { open, signIn } from './state/conversations.ts'
import { connect, conversationInAddress, forgetToken, keepToken } from './state/session.ts'
import { Mark } from './ui/icons.tsx'

/** Where someone lands without a token, or with one that is no longer good. */
export function SignIn({ refused }: { readonly refused: boolean }): ReactNode {
  const [token, setToken] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = /token=([^&\s]+)/.exec(token)?.[1] ?? token.trim()
    if (!given) return
    forgetToken()
    keepToken(given)
    signIn(connect(given))
    void open(conversationInAddress())
  }
  return (
    <main className="sign-in">
      <form onSubmit={submit}>
        <Mark size={44} />
        <h1>Turnbuckle</h1>
        <p role={refused ? 'alert' : undefined}>
          {refused
            ? 'That token is not valid here. The server makes a new one at each start.'
            : 'Open the address that the server printed when it started, or paste its token.'}
        </p>
        <label htmlFor="token">Token</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          value={token}
          onChange={event => setToken(event.target.value)}
        />
        <button type="submit" className="button primary">
          Open
        </button>
      </form>
    </main>
  )
}
