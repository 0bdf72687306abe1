import '../styles/share.css'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { SharedAccess } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { Modal } from '../ui/modal.tsx'

interface Props {
  readonly id: string
  readonly title: string
  readonly done: () => void
}

/** Resolves to why the server refused it, in words; to nothing where it is shared. */
type Share = (name: string, access: SharedAccess) => Promise<string | undefined>

const words: Readonly<Record<SharedAccess, string>> = { read: 'reads', talk: 'reads and talks' }

/** Shares a conversation with people of the server, to read or to talk in, and takes that back. */
export default function SharePersonDialog({ id, title, done }: Props): ReactNode {
  const [people, setPeople] = useState<Readonly<Record<string, SharedAccess>>>()
  const read = async () => setPeople((await callServer(client => client.conversation(id)))?.people ?? {})
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each conversation
  useEffect(() => void read(), [id])
  const share: Share = async (name, access) => {
    try {
      await useAppState.getState().client?.sharePerson(id, name, access)
    } catch (error) {
      // A notice would be behind the dialog.
      return error instanceof Error ? error.message : String(error)
    }
    return void (await read())
  }
  const unshare = async (name: string) => {
    await callServer(client => client.unsharePerson(id, name))
    await read()
  }
  return (
    <Modal label="Share with a person" close={done}>
      <h2 className="share-title">Share “{title || 'this conversation'}” with a person</h2>
      <p className="share-note">
        It is in their list from then on, with everything that is written later. Who talks in it also answers the
        questions of its tools. A viewer only reads.
      </p>
      <PersonForm share={share} />
      <Shared people={people ?? {}} unshare={unshare} />
      <div className="modal-actions">
        <button type="button" className="button" onClick={done}>
          Done
        </button>
      </div>
    </Modal>
  )
}

function PersonForm({ share }: { readonly share: Share }): ReactNode {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<SharedAccess>('read')
  const [problem, setProblem] = useState<string>()
  const names = useKnownNames()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const refused = await share(name.trim(), access)
    setProblem(refused)
    if (refused === undefined) setName('')
  }
  return (
    <form className="share-person" aria-label="Share with" onSubmit={event => void submit(event)}>
      <input
        aria-label="Name of the person"
        placeholder="Their name here"
        list="known-names"
        value={name}
        autoComplete="off"
        spellCheck={false}
        onChange={event => setName(event.target.value)}
      />
      <datalist id="known-names">
        {names.map(one => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <select
        aria-label="What they may do"
        value={access}
        onChange={event => setAccess(event.target.value as SharedAccess)}
      >
        {Object.entries(words).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit" className="button primary" disabled={!name.trim()}>
        Share
      </button>
      {problem !== undefined && (
        <p className="share-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

/** The people of the server but oneself; only owners are told. */
function useKnownNames(): readonly string[] {
  const me = useAppState(app => app.me)
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    if (me?.role !== 'owner') return
    void callServer(client => client.people()).then(people =>
      setNames((people ?? []).map(({ name }) => name).filter(name => name !== me.name)),
    )
  }, [me])
  return names
}

interface SharedProps {
  readonly people: Readonly<Record<string, SharedAccess>>
  readonly unshare: (name: string) => Promise<void>
}

function Shared({ people, unshare }: SharedProps): ReactNode {
  const all = Object.entries(people)
  if (!all.length) return null
  return (
    <>
      <h3 className="share-links-title">Shared with</h3>
      <ul className="share-links">
        {all.map(([name, access]) => (
          <li key={name}>
            <span>
              {name} <span className="usage">{words[access]}</span>
            </span>
            <button
              type="button"
              className="button small danger"
              aria-label={`Take back: share no longer with ${name}`}
              onClick={() => void unshare(name)}
            >
              Take back
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
