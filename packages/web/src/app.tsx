import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Chat } from './chat/chat.tsx'
import { notifyOfQuestions } from './conversation/notify-of-questions.ts'
import { openConversation } from './conversation/open-conversation.ts'
import { signInWithToken } from './conversation/sign-in-with-token.ts'
import { DropZone } from './files/drop-zone.tsx'
import { LightboxHost } from './files/lightbox-host.tsx'
import { GuardStrip } from './guard-strip.tsx'
import { Header } from './header.tsx'
import { PanelView } from './panel-view.tsx'
import { Rail } from './rail/rail.tsx'
import { SettingsView } from './settings-view.tsx'
import { linkInAddress } from './share/link-in-address.ts'
import { SignIn } from './sign-in.tsx'
import { useAppState } from './state/app-state.ts'
import { conversationInAddress } from './state/conversation-in-address.ts'
import { changePageLayout } from './state/page-layout.ts'
import { settingsInAddress } from './state/settings-in-address.ts'
import { storedToken, takeTokenFromAddress } from './state/stored-token.ts'
import { Banner } from './ui/banner.tsx'
import { useMedia } from './ui/use-media.ts'
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts'

const SharedPage = lazy(() => import('./share/shared-page.tsx'))

/** A read-only link has a page of its own: whoever follows it is signed in nowhere. */
export function App(): ReactNode {
  const [link] = useState(linkInAddress)
  if (!link) return <OwnApp />
  return (
    <Suspense>
      <SharedPage link={link} />
    </Suspense>
  )
}

function OwnApp(): ReactNode {
  const client = useAppState(app => app.client)
  const refused = useAppState(app => app.status === 'refused')
  useEffect(() => {
    // A link that differs from the address only in its token changes the hash: the browser does not load the page again.
    const arrive = () => {
      const { client: before, openId } = useAppState.getState()
      const token = takeTokenFromAddress() ?? (before ? undefined : storedToken())
      const id = conversationInAddress()
      const settingsSection = settingsInAddress()
      if (token) signInWithToken(token)
      else if (settingsSection !== undefined || id === openId) useAppState.setState({ settingsSection })
      else void openConversation(id)
    }
    arrive()
    window.addEventListener('popstate', arrive)
    return () => window.removeEventListener('popstate', arrive)
  }, [])
  if (!client || refused) return <SignIn refused={refused} />
  return <Workspace />
}

function Workspace(): ReactNode {
  const mainPanel = useAppState(app => app.mainPanel)
  const sidePanel = useAppState(app => app.sidePanel)
  const openId = useAppState(app => app.openId)
  const inSettings = useAppState(app => app.settingsSection !== undefined)
  const railOpen = useAppState(app => app.railOpen)
  const waiting = useAppState(
    app => (app.list?.reduce((sum, one) => sum + one.waiting, 0) ?? 0) + app.askedRequests.length,
  )
  const title = useAppState(app => app.conversation?.title || app.list?.find(({ id }) => id === app.openId)?.title)
  const shownBeside = openId === undefined || inSettings ? undefined : sidePanel
  // The conversation list becomes a drawer on a phone, and on a tablet while a panel stands beside the conversation.
  const phone = useMedia('(max-width: 760px)')
  const tablet = useMedia('(max-width: 1100px)')
  useKeyboardShortcuts()
  useEffect(notifyOfQuestions, [])
  useEffect(() => {
    // The settings page has a title of its own.
    if (inSettings) return
    document.title = `${waiting ? `(${waiting}) ` : ''}${title ? `${title} · ` : ''}Turnbuckle`
  }, [waiting, title, inSettings])
  return (
    <div
      className="app"
      data-inspecting={shownBeside !== undefined}
      data-drawer={phone || (tablet && shownBeside !== undefined)}
      data-rail={railOpen}
    >
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
      <main className="stage" id="stage" tabIndex={-1}>
        {inSettings ? (
          <>
            <Banner />
            <SettingsView />
          </>
        ) : (
          <>
            <Header />
            <GuardStrip />
            <Banner />
            {mainPanel !== undefined && openId !== undefined ? <PanelView id={mainPanel} /> : <Chat />}
          </>
        )}
      </main>
      {shownBeside !== undefined && <PanelView id={shownBeside} />}
      <DropZone />
      <LightboxHost />
    </div>
  )
}
