import { type FormEvent, type ReactNode, useState } from 'react'
import { signInWithToken } from './conversation/loading/sign-in-with-token.ts'
import { tokenInText } from './state/token-in-text.ts'
import { Logo } from './ui/logo.tsx'

/** The page without a token, or with one that the server refused. */
export function SignIn({ refused }: { readonly refused: boolean }): ReactNode {
  const [token, setToken] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = tokenInText(token)
    if (given) signInWithToken(given)
  }
  return (
    <main className="sign-in">
      <form onSubmit={submit}>
        <Logo size={44} />
        <h1>Turnbuckle</h1>
        <p role={refused ? 'alert' : undefined}>
          {refused
            ? 'That token is not valid here: the server may have started anew. Open the address that it printed, or paste it.'
            : 'Open the address that the server printed when it started, or paste it.'}
        </p>
        <label htmlFor="token">Address or token</label>
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
