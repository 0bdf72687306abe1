import '../styles/share.css'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { WireConversation, WireShareLink } from 'turnbuckle/client'
import { pathTo } from '../conversation/facts/message-tree.ts'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { formatMoment } from '../ui/format-moment.ts'
import { Modal } from '../ui/modal.tsx'

interface Props {
  readonly id: string
  readonly title: string
  readonly done: () => void
}

type What = 'branch' | 'tree'

const names: Readonly<Record<What, string>> = { branch: 'This branch', tree: 'The whole tree' }

/** Makes read-only links of a conversation, lists them, and revokes them. Says in words what a link shows. */
export default function ShareDialog({ id, title, done }: Props): ReactNode {
  const [told, setTold] = useState<WireConversation>()
  const [links, setLinks] = useState<readonly WireShareLink[]>()
  const [what, setWhat] = useState<What>('branch')
  const [address, setAddress] = useState<string>()
  const look = useAppState(app => (app.openId === id ? app.conversation?.head : undefined))
  useEffect(() => {
    void callServer(client => client.conversation(id)).then(setTold)
    void callServer(client => client.shareLinks(id)).then(setLinks)
  }, [id])
  const tip = look ?? told?.head ?? undefined
  const list = async () => setLinks(await callServer(client => client.shareLinks(id)))
  const make = async () => {
    const made = await callServer(client => client.shareLink(id, what === 'branch' ? tip : undefined))
    if (!made) return
    setAddress(new URL(made.url, location.origin).href)
    await list()
  }
  const last = useRef<HTMLButtonElement>(null)
  const revoke = async (shareId: string) => {
    await callServer(client => client.revokeShareLink(id, shareId))
    // The pressed button leaves the list.
    last.current?.focus()
    await list()
  }
  return (
    <Modal label="Share a read-only link" close={done}>
      <h2 className="share-title">Share “{title || 'this conversation'}”</h2>
      <p className="share-note">
        Whoever has the link reads the messages, their files, and what tools were called with and answered, without
        signing in. They cannot write, and the link opens nothing else of this server.
      </p>
      <WhatToShare what={what} setWhat={setWhat} told={told} tip={tip} />
      {address === undefined ? (
        <button type="button" className="button primary" disabled={!tip} onClick={() => void make()}>
          Make the link
        </button>
      ) : (
        <Address address={address} />
      )}
      <Links links={links} revoke={revoke} />
      <div className="modal-actions">
        <button ref={last} type="button" className="button" onClick={done}>
          Done
        </button>
      </div>
    </Modal>
  )
}

interface WhatProps {
  readonly what: What
  readonly setWhat: (what: What) => void
  readonly told: WireConversation | undefined
  readonly tip: string | undefined
}

function WhatToShare({ what, setWhat, told, tip }: WhatProps): ReactNode {
  const nodes = new Map(told?.nodes.map(node => [node.id, node]))
  const parents = new Set(told?.nodes.map(({ parentId }) => parentId))
  const branches = [...nodes.keys()].filter(id => !parents.has(id)).length
  const words: Readonly<Record<What, string>> = {
    branch: `${counted(pathTo(nodes, tip ?? null).length, 'message')}, up to where you are, with what sub-agents did for them. What is written later is not shown.`,
    tree: `${counted(branches, 'branch', 'branches')} with ${counted(nodes.size, 'message')}, and whatever is added later.`,
  }
  return (
    <fieldset className="share-what">
      <legend className="visually-hidden">What the link shows</legend>
      {(['branch', 'tree'] as const).map(one => (
        <label key={one}>
          <input type="radio" name="share-what" checked={what === one} onChange={() => setWhat(one)} />
          <span>
            <strong>{names[one]}</strong> <span>{words[one]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

const counted = (count: number, one: string, several = `${one}s`): string =>
  count === 1 ? `One ${one}` : `${count} ${several}`

function Address({ address }: { readonly address: string }): ReactNode {
  return (
    <div className="share-address" role="status">
      <p>The link is ready. Copy it now: it is shown this once.</p>
      <p>
        <input
          readOnly
          aria-label="Address of the link"
          // biome-ignore lint/a11y/noAutofocus: it stands where the button was that had the focus
          autoFocus
          value={address}
          onFocus={event => event.target.select()}
        />
        <CopyButton text={address} label="Copy the link" size={18} />
      </p>
    </div>
  )
}

interface LinksProps {
  readonly links: readonly WireShareLink[] | undefined
  readonly revoke: (id: string) => Promise<void>
}

function Links({ links, revoke }: LinksProps): ReactNode {
  if (!links?.length) return null
  return (
    <>
      <h3 className="share-links-title">Links that work now</h3>
      <ul className="share-links">
        {links.map(({ id, what, createdAt }) => (
          <li key={id}>
            <span>
              {names[what]} <span className="usage">made {formatMoment(createdAt)}</span>
            </span>
            <button type="button" className="button small danger" onClick={() => void revoke(id)}>
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
