import type { ReactNode } from 'react'
import type { WireTrustItem } from 'turnbuckle/client'
import { lineDiff } from '../../inspector/line-diff.ts'
import { callServer } from '../../state/call-server.ts'
import { showNotice } from '../../state/show-notice.ts'
import { DiffView } from '../../ui/diff-view.tsx'

interface Props {
  readonly items: readonly WireTrustItem[]
  /** Reads the list again. */
  readonly reload: () => void
}

/** Parts of the project that wait for trust. The button is behind the diff: one sees what one trusts. */
export function TrustList({ items, reload }: Props): ReactNode {
  if (!items.length) return null
  return (
    <ul className="settings-list">
      {items.map(item => (
        <li key={`${item.kind} ${item.name} ${item.hash}`}>
          <TrustItem item={item} reload={reload}>
            <strong>{item.name}</strong>
            <span className="mark-word" data-tone="ask">
              {item.trustedText === undefined ? 'waits for trust' : 'changed, waits for trust'}
            </span>
          </TrustItem>
        </li>
      ))}
    </ul>
  )
}

interface ItemProps {
  readonly item: WireTrustItem
  readonly reload: () => void
  /** The words that are clicked to open it. */
  readonly children: ReactNode
}

/** What a part of the project is and, where it was trusted before, how it has changed. */
export function TrustItem({ item, reload, children }: ItemProps): ReactNode {
  const { name, does, hash, text, trustedText, kind } = item
  const isLater = kind !== 'hook' && kind !== 'mcp'
  const trust = async () => {
    const done = await callServer(async client => {
      await client.trust(item)
      return true
    })
    if (done) showNotice(`${name} is trusted.${isLater ? ' It works from the next start on.' : ''}`, 'news')
    reload()
  }
  return (
    <details className="settings-item">
      <summary>{children}</summary>
      <p>
        {does} <code className="inline-code">{hash.slice(0, 12)}</code>
      </p>
      {text !== undefined && <DiffView lines={lineDiff(trustedText ?? '', text)} />}
      <div className="settings-actions">
        <button type="button" className="button small danger" onClick={() => void trust()}>
          Trust exactly this
        </button>
      </div>
    </details>
  )
}
