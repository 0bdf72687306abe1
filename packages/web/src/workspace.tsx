import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Chat } from './chat/chat.tsx'
import { notifyOfQuestions } from './conversation/loading/notify-of-questions.ts'
import { DropZone } from './files/drop-zone.tsx'
import { LightboxHost } from './files/lightbox-host.tsx'
import { GuardStrip } from './guard-strip.tsx'
import { Header } from './header.tsx'
import { PanelView } from './panel-view.tsx'
import { Rail } from './rail/rail.tsx'
import { SettingsView } from './settings-view.tsx'
import { useAppState } from './state/app-state.ts'
import { changePageLayout } from './state/page-layout.ts'
import { Banner } from './ui/banner.tsx'
import { useFocusNet } from './ui/use-focus-net.ts'
import { useMedia } from './ui/use-media.ts'
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts'
import { usePageTitle } from './use-page-title.ts'
import { useRailDrawer } from './use-rail-drawer.ts'

const CallerStrip = lazy(() => import('./caller-strip.tsx'))

/** The page of somebody who is signed in: the list, the conversation or the settings, and a panel beside it. */
export function Workspace(): ReactNode {
  const openId = useAppState(app => app.openId)
  const sidePanel = useAppState(app => app.sidePanel)
  const inSettings = useAppState(app => app.settingsSection !== undefined)
  const railOpen = useAppState(app => app.railOpen)
  const shownBeside = openId === undefined || inSettings ? undefined : sidePanel
  // The conversation list becomes a drawer on a phone, and on a tablet while a panel stands beside the conversation.
  const phone = useMedia('(max-width: 760px)')
  const tablet = useMedia('(max-width: 1100px)')
  const isDrawer = phone || (tablet && shownBeside !== undefined)
  useRailDrawer(isDrawer)
  useKeyboardShortcuts()
  useFocusNet()
  usePageTitle()
  useEffect(notifyOfQuestions, [])
  return (
    <div className="app" data-inspecting={shownBeside !== undefined} data-drawer={isDrawer} data-rail={railOpen}>
      <a className="skip-link" href="#stage">
        Skip to the conversation
      </a>
      <Rail />
      {railOpen && (
        <button
          type="button"
          className="scrim"
          aria-label="Close the list"
          onClick={() => changePageLayout({ railOpen: false })}
        />
      )}
      {/* Behind a panel that covers it nothing is reached by keys. */}
      <main className="stage" id="stage" tabIndex={-1} inert={phone && shownBeside !== undefined}>
        {inSettings ? <SettingsStage /> : <ConversationStage />}
      </main>
      {shownBeside !== undefined && <PanelView id={shownBeside} />}
      <DropZone />
      <LightboxHost />
    </div>
  )
}

function SettingsStage(): ReactNode {
  return (
    <>
      <Banner />
      <SettingsView />
    </>
  )
}

function ConversationStage(): ReactNode {
  const mainPanel = useAppState(app => app.mainPanel)
  const openId = useAppState(app => app.openId)
  const caller = useAppState(app => app.conversation?.caller)
  return (
    <>
      <Header />
      {caller && (
        <Suspense>
          <CallerStrip caller={caller} />
        </Suspense>
      )}
      <GuardStrip />
      <Banner />
      {mainPanel !== undefined && openId !== undefined ? <PanelView id={mainPanel} /> : <Chat />}
    </>
  )
}
