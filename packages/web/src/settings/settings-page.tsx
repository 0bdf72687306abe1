import './settings.css'
import { type ReactNode, useEffect, useRef } from 'react'
import { closeSettings } from '../conversation/loading/open-settings.ts'
import { SettingsAnchor } from '../settings-link.tsx'
import { useAppState } from '../state/app-state.ts'
import { changePageLayout } from '../state/page-layout.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { sectionsFor } from './settings-sections.ts'

/** Scrolls the row of sections, and nothing else: a phone's keyboard changes the height of the page under somebody who writes. */
function showCurrentTab(): void {
  const tab = document.querySelector('.settings-tab[aria-current]')
  const row = tab?.parentElement
  if (!tab || !row) return
  const [one, all] = [tab.getBoundingClientRect(), row.getBoundingClientRect()]
  row.scrollLeft += one.left + one.width / 2 - all.left - all.width / 2
}

/** The settings: a list of sections, and one of them. A role sees the sections that it may use. */
export default function SettingsPage(): ReactNode {
  const role = useAppState(app => app.me?.role)
  const wanted = useAppState(app => app.settingsSection)
  const sections = role ? sectionsFor(role) : []
  const shown = sections.find(({ id }) => id === wanted) ?? sections[0]
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    document.title = `${shown ? `${shown.label} · ` : ''}Settings · Turnbuckle`
    showCurrentTab()
    // The row gets another width when a phone is turned, and a moment later when the list beside it becomes a drawer.
    const observer = new ResizeObserver(showCurrentTab)
    if (row.current) observer.observe(row.current)
    return () => observer.disconnect()
  }, [shown])
  return (
    <>
      <header className="header">
        <span className="menu-button">
          <IconButton icon="menu" label="Conversations" onClick={() => changePageLayout({ railOpen: true })} />
        </span>
        <div className="header-title">
          <h1>Settings</h1>
        </div>
        <button type="button" className="button small" onClick={closeSettings}>
          <Icon name="chat" size={16} /> Back to the chat
        </button>
      </header>
      <div className="settings">
        <nav ref={row} aria-label="Settings" className="settings-nav">
          {sections.map(({ id, label }) => (
            <SettingsAnchor key={id} section={id} className="settings-tab" current={id === shown?.id}>
              {label}
            </SettingsAnchor>
          ))}
        </nav>
        {shown ? (
          <section className="settings-body" aria-labelledby="settings-title" key={shown.id}>
            <h2 id="settings-title">{shown.label}</h2>
            <shown.View />
          </section>
        ) : (
          <p className="loading">Loading the settings …</p>
        )}
      </div>
    </>
  )
}
