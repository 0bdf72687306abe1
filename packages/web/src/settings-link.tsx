import type { MouseEvent, ReactNode } from 'react'
import { openSettings } from './conversation/loading/open-settings.ts'
import { useAppState } from './state/app-state.ts'
import { settingsAddress } from './state/settings-in-address.ts'
import { Icon } from './ui/icon.tsx'

interface Props {
  readonly section?: string
  readonly className?: string
  readonly current?: boolean
  readonly children: ReactNode
}

/** A real link to a section of the settings: a click opens it here, with a key held in a new tab. */
export function SettingsAnchor({ section = '', className = 'link', current = false, children }: Props): ReactNode {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    openSettings(section)
  }
  return (
    <a
      className={className}
      href={settingsAddress(section)}
      aria-current={current ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  )
}

export function SettingsLink(): ReactNode {
  const current = useAppState(app => app.settingsSection !== undefined)
  return (
    <SettingsAnchor className="icon-button" current={current}>
      <Icon name="sliders" size={17} /> Settings
    </SettingsAnchor>
  )
}
