import { type ReactNode, useMemo } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { ConversationMenu } from './rail/conversation-menu.tsx'
import { show, useApp } from './state/app-state.ts'
import { pathTo, usageOn } from './state/path.ts'
import { usageText } from './ui/format.ts'
import { IconButton } from './ui/icon-button.tsx'

export function Header(): ReactNode {
  const nodes = useApp(app => app.conversation?.nodes)
  const head = useApp(app => app.conversation?.head ?? null)
  const openId = useApp(app => app.openId)
  const panel = useApp(app => app.panel)
  const inspecting = useApp(app => app.inspecting)
  const title = useApp(app => app.conversation?.title || app.list?.find(({ id }) => id === app.openId)?.title)
  const elsewhere = useApp(
    app => app.list?.reduce((sum, one) => sum + (one.id === app.openId ? 0 : one.waiting), 0) ?? 0,
  )
  const path = useMemo(() => (nodes ? pathTo(nodes, head) : []), [nodes, head])
  return (
    <header className="header">
      <span className="menu-button">
        <IconButton
          icon="menu"
          label={elsewhere ? `Conversations, ${elsewhere} waiting for you` : 'Conversations'}
          onClick={() => show({ railOpen: true })}
        />
        {elsewhere > 0 && <span className="badge">{elsewhere}</span>}
      </span>
      <div className="header-title">
        <h1>{title || (openId && !nodes ? '…' : 'New conversation')}</h1>
        {openId !== undefined && <p className="path-cost">This path: {measure(path)}</p>}
      </div>
      {openId !== undefined && (
        <div className="header-actions">
          <IconButton
            icon={panel === 'tree' ? 'chat' : 'tree'}
            label={panel === 'tree' ? 'Show the chat (Alt+T)' : 'Show the tree (Alt+T)'}
            text={panel === 'tree' ? 'Chat' : 'Tree'}
            aria-pressed={panel === 'tree'}
            onClick={() => show({ panel: panel === 'tree' ? 'chat' : 'tree' })}
          />
          <IconButton
            icon="gauge"
            label="Inspector (Alt+I)"
            text="Inspect"
            aria-pressed={inspecting}
            onClick={() => show({ inspecting: !inspecting })}
          />
          <ConversationMenu id={openId} title={title ?? ''} />
        </div>
      )}
    </header>
  )
}

/** What a path costs; where nobody counts tokens, how long it is. */
function measure(path: readonly WireNode[]): string {
  const usage = usageOn(path)
  if (usage.inputTokens > 0) return usageText(usage)
  if (!path.length) return 'nothing yet'
  return path.length === 1 ? 'one message' : `${path.length} messages`
}
