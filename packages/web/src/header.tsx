import { type ReactNode, useMemo } from 'react'
import { ConversationMenu } from './rail/conversation-menu.tsx'
import { pathTo, usageOn } from './state/path.ts'
import { show, useApp } from './state/store.ts'
import { usageText } from './ui/format.ts'
import { IconButton } from './ui/icon-button.tsx'

export function Header(): ReactNode {
  const conversation = useApp(app => app.conversation)
  const openId = useApp(app => app.openId)
  const panel = useApp(app => app.panel)
  const inspecting = useApp(app => app.inspecting)
  const listed = useApp(app => app.list?.find(({ id }) => id === app.openId)?.title)
  const title = conversation?.title || listed
  const elsewhere = useApp(
    app => app.list?.reduce((sum, one) => sum + (one.id === app.openId ? 0 : one.waiting), 0) ?? 0,
  )
  const nodes = conversation?.nodes
  const head = conversation?.head ?? null
  const usage = useMemo(() => (nodes ? usageOn(pathTo(nodes, head)) : undefined), [nodes, head])
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
        <h1>{title || (openId ? '…' : 'New conversation')}</h1>
        <p className="path-cost">{usage && usage.inputTokens > 0 ? `This path: ${usageText(usage)}` : '\u00a0'}</p>
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
