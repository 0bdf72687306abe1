import { type ReactNode, useState } from 'react'
import type { Client, WirePerson } from 'turnbuckle/client'
import { useAppState } from '../../state/app-state.ts'
import { callServer } from '../../state/call-server.ts'
import { Modal } from '../../ui/modal.tsx'
import { useLoaded } from '../use-loaded.ts'
import { MakePerson } from './make-person.tsx'
import { NewToken } from './new-token.tsx'

const load = (client: Client) => client.people()

/** The people of the server: made, listed, and revoked. A token is shown once, when it is made. */
export function PeopleSection(): ReactNode {
  const [people, reload] = useLoaded(load)
  const [made, setMade] = useState<WirePerson & { readonly token: string }>()
  const [asking, ask] = useState<string>()
  const revoke = async (name: string) => {
    await callServer(client => client.revokePerson(name))
    ask(undefined)
    reload()
  }
  return (
    <>
      <p className="settings-lead">
        Owners see and change the settings. Members have their own conversations. Viewers read what is shared with them.
      </p>
      <MakePerson
        made={person => {
          setMade(person)
          reload()
        }}
      />
      {made && <NewToken key={made.tokenHash} person={made} done={() => setMade(undefined)} />}
      {people ? <PeopleTable people={people} revoke={ask} /> : <p className="rail-note">Loading …</p>}
      {asking !== undefined && (
        <RevokeDialog name={asking} cancel={() => ask(undefined)} confirm={() => void revoke(asking)} />
      )}
    </>
  )
}

interface TableProps {
  readonly people: readonly WirePerson[]
  readonly revoke: (name: string) => void
}

function PeopleTable({ people, revoke }: TableProps): ReactNode {
  const me = useAppState(app => app.me?.name)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
    <section className="settings-table stacked-table" aria-label="People" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Token</th>
            <th scope="col">Made</th>
            <th scope="col">Expires</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {people.map(({ name, role, tokenHash, by, createdAt, expiresAt }) => (
            <tr key={tokenHash}>
              <th scope="row">
                {name}
                {name === me && <span className="about you"> you</span>}
              </th>
              <td data-label="Role">{role}</td>
              <td data-label="Token">
                <code title={`SHA-256 ${tokenHash}`}>{tokenHash.slice(0, 8)}…</code>
              </td>
              <td data-label="Made">{createdAt === undefined ? 'at the start' : `${dayOf(createdAt)} by ${by}`}</td>
              <td data-label="Expires">{expiresAt === undefined ? 'never' : dayOf(expiresAt)}</td>
              <td>
                <button
                  type="button"
                  className="button small danger"
                  aria-label={`Revoke the token of ${name}`}
                  onClick={() => revoke(name)}
                >
                  Revoke
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const dayOf = (at: number): string => new Date(at).toLocaleDateString([], { dateStyle: 'medium' })

interface RevokeProps {
  readonly name: string
  readonly cancel: () => void
  readonly confirm: () => void
}

function RevokeDialog({ name, cancel, confirm }: RevokeProps): ReactNode {
  return (
    <Modal label={`Revoke the token of ${name}?`} close={cancel}>
      <h2 className="modal-title">Revoke the token of {name}?</h2>
      <p>Their pages are closed at once. Their conversations stay: who gets this name next gets them.</p>
      <div className="modal-actions">
        {/* biome-ignore lint/a11y/noAutofocus: the safe answer to a question that has just been asked */}
        <button type="button" className="button" onClick={cancel} autoFocus>
          Keep it
        </button>
        <button type="button" className="button danger" onClick={confirm}>
          Revoke
        </button>
      </div>
    </Modal>
  )
}
