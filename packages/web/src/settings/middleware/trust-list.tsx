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
  return (
    <ul className="settings-list">
      {items.map(item => (
        <li key={`${item.kind} ${item.name} ${item.hash}`}>
          <TrustItem item={item} reload={reload} />
        </li>
      ))}
    </ul>
  )
}

function TrustItem({ item, reload }: { readonly item: WireTrustItem; readonly reload: () => void }): ReactNode {
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
      <summary>
        <strong>{name}</strong>
        <span className="mark-word" data-tone="ask">
          {trustedText === undefined ? 'waits for trust' : 'changed, waits for trust'}
        </span>
      </summary>
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
