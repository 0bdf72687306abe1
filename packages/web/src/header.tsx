import { type ReactNode, useMemo } from 'react'
import { pathTo } from './conversation/facts/message-tree.ts'
import { summarizePath } from './conversation/facts/summarize-path.ts'
import { waitingForMe } from './conversation/facts/waiting-for-me.ts'
import { panels } from './panels.ts'
import { ConversationMenu } from './rail/conversation-menu.tsx'
import { useAppState } from './state/app-state.ts'
import { changePageLayout, isPanelOpen, togglePanel } from './state/page-layout.ts'
import { IconButton } from './ui/icon-button.tsx'

export function Header(): ReactNode {
  const nodes = useAppState(app => app.conversation?.nodes)
  const head = useAppState(app => app.conversation?.head ?? null)
  const openId = useAppState(app => app.openId)
  const title = useAppState(app => app.conversation?.title || app.list?.find(({ id }) => id === app.openId)?.title)
  const elsewhere = useAppState(
    app => app.list?.reduce((sum, one) => sum + (one.id === app.openId ? 0 : waitingForMe(app.me, one)), 0) ?? 0,
  )
  const isViewer = useAppState(app => app.me?.role === 'viewer')
  const path = useMemo(() => (nodes ? pathTo(nodes, head) : []), [nodes, head])
  return (
    <header className="header">
      <span className="menu-button">
        <IconButton
          icon="menu"
          label={elsewhere ? `Conversations, ${elsewhere} waiting for you` : 'Conversations'}
          onClick={() => changePageLayout({ railOpen: true })}
        />
        {elsewhere > 0 && <span className="badge">{elsewhere}</span>}
      </span>
      <div className="header-title">
        <h1>{title || (openId ? (nodes ? 'Untitled' : '…') : isViewer ? 'Conversations' : 'New conversation')}</h1>
        {openId !== undefined && (
          <p className="path-cost">
            <span className="path-label">This branch: </span>
            {summarizePath(path)}
          </p>
        )}
      </div>
      {openId !== undefined && (
        <div className="header-actions">
          {panels.map(panel => (
            <PanelButton key={panel.id} panel={panel} />
          ))}
          <ConversationMenu id={openId} title={title ?? ''} label={`Actions for ${title || 'this conversation'}`} />
        </div>
      )}
    </header>
  )
}

/** Opens a panel. The button of an open main panel leads back to the chat. */
function PanelButton({ panel }: { readonly panel: (typeof panels)[number] }): ReactNode {
  const open = useAppState(app => isPanelOpen(app, panel.id))
  const { icon, label, text } =
    open && panel.place === 'main' ? ({ icon: 'chat', label: 'Show the chat', text: 'Chat' } as const) : panel
  return (
    <IconButton
      icon={icon}
      label={`${label} (Alt+${panel.key})`}
      text={text}
      aria-pressed={open}
      onClick={() => togglePanel(panel)}
    />
  )
}
