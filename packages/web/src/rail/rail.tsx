import { type ReactNode, useState } from 'react'
import { openConversation } from '../conversation/open-conversation.ts'
import { SettingsLink } from '../settings-link.tsx'
import { useAppState } from '../state/app-state.ts'
import { applyTheme, readTheme, type Theme } from '../state/theme.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Logo } from '../ui/logo.tsx'
import { ConversationList } from './conversation-list.tsx'
import { ImportButton } from './import-button.tsx'
import { NotifyButton } from './notify-button.tsx'
import { SearchResults } from './search-results.tsx'

export function Rail(): ReactNode {
  const [query, setQuery] = useState('')
  const isViewer = useAppState(app => app.me?.role === 'viewer')
  return (
    <nav className="rail" aria-label="Conversations">
      <div className="rail-head">
        <Logo />
        <span className="brand">Turnbuckle</span>
        <ThemeButton />
      </div>
      {!isViewer && (
        <div className="rail-new">
          <button type="button" className="button new" onClick={() => void openConversation(undefined)} title="Alt+N">
            <Icon name="plus" size={16} /> New conversation
          </button>
          <ImportButton />
        </div>
      )}
      <input
        id="search"
        type="search"
        className="search"
        placeholder="Search"
        aria-label="Search in all conversations (Alt+K)"
        value={query}
        onChange={event => setQuery(event.target.value)}
      />
      {query.trim() ? <SearchResults query={query.trim()} /> : <ConversationList />}
      <NotifyButton />
      <div className="rail-foot">
        <Connection />
        <SettingsLink />
      </div>
    </nav>
  )
}

const nextTheme: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const themeIcons = { system: 'half', light: 'sun', dark: 'moon' } as const

function ThemeButton(): ReactNode {
  const [theme, setTheme] = useState(readTheme)
  const turn = () => {
    applyTheme(nextTheme[theme])
    setTheme(nextTheme[theme])
  }
  return <IconButton icon={themeIcons[theme]} label={`Colours: ${theme}. Change`} onClick={turn} size={17} />
}

const words = {
  open: 'Connected',
  connecting: 'Connecting …',
  offline: 'Offline, trying again …',
  refused: 'Signed out',
} as const

function Connection(): ReactNode {
  const status = useAppState(app => app.status)
  return (
    <p className="connection" data-status={status} role="status">
      {words[status]}
    </p>
  )
}
