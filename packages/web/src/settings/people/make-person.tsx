import { type FormEvent, type ReactNode, useState } from 'react'
import type { PersonRole, WirePerson } from 'turnbuckle/client'
import { callServer } from '../../state/call-server.ts'

const roles: readonly PersonRole[] = ['member', 'viewer', 'owner']
const day = 86_400_000
/** Milliseconds for which a token counts; 0 for ever. */
const lifetimes = [
  { label: 'never', ms: 0 },
  { label: 'in a day', ms: day },
  { label: 'in 30 days', ms: 30 * day },
  { label: 'in a year', ms: 365 * day },
]

interface Props {
  readonly made: (person: WirePerson & { readonly token: string }) => void
}

/** A form that makes a person with a token. */
export function MakePerson({ made }: Props): ReactNode {
  const [name, setName] = useState('')
  const [role, setRole] = useState<PersonRole>('member')
  const [expires, setExpires] = useState(0)
  const make = async (event: FormEvent) => {
    event.preventDefault()
    const person = await callServer(client =>
      client.makePerson({ name: name.trim(), role, ...(expires ? { expires } : {}) }),
    )
    if (!person) return
    setName('')
    made(person)
  }
  return (
    <form className="settings-card make-person" aria-label="Make a person" onSubmit={event => void make(event)}>
      <div>
        <label className="field-label" htmlFor="person-name">
          Name
        </label>
        <input
          id="person-name"
          value={name}
          autoComplete="off"
          spellCheck={false}
          onChange={event => setName(event.target.value)}
        />
      </div>
      <div>
        <label className="field-label" htmlFor="person-role">
          Role
        </label>
        <select id="person-role" value={role} onChange={event => setRole(event.target.value as PersonRole)}>
          {roles.map(one => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </div>
      <ExpiresField expires={expires} write={setExpires} />
      <button type="submit" className="button primary" disabled={!name.trim()}>
        Make a token
      </button>
    </form>
  )
}

interface ExpiresProps {
  readonly expires: number
  readonly write: (ms: number) => void
}

function ExpiresField({ expires, write }: ExpiresProps): ReactNode {
  return (
    <div>
      <label className="field-label" htmlFor="person-expires">
        Expires
      </label>
      <select id="person-expires" value={expires} onChange={event => write(Number(event.target.value))}>
        {lifetimes.map(({ label, ms }) => (
          <option key={ms} value={ms}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}
