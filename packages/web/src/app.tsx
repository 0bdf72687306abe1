import { type ReactNode, useEffect } from 'react'
import { Chat } from './chat/chat.tsx'
import { openConversation } from './conversation/open-conversation.ts'
import { signInWithToken } from './conversation/sign-in-with-token.ts'
import { GuardStrip } from './guard-strip.tsx'
import { Header } from './header.tsx'
import { PanelView } from './panel-view.tsx'
import { Rail } from './rail/rail.tsx'
import { SignIn } from './sign-in.tsx'
import { useAppState } from './state/app-state.ts'
import { conversationInAddress } from './state/conversation-in-address.ts'
import { changePageLayout } from './state/page-layout.ts'
import { storedToken, takeTokenFromAddress } from './state/stored-token.ts'
import { Banner } from './ui/banner.tsx'
import { useMedia } from './ui/use-media.ts'
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts'

export function App(): ReactNode {
  const client = useAppState(app => app.client)
  const refused = useAppState(app => app.status === 'refused')
  useEffect(() => {
    // A link that differs from the address only in its token changes the hash: the browser does not load the page again.
    const arrive = () => {
      const { client: before, openId } = useAppState.getState()
      const token = takeTokenFromAddress() ?? (before ? undefined : storedToken())
      const id = conversationInAddress()
      if (token) signInWithToken(token)
      else if (id !== openId) void openConversation(id)
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
  const railOpen = useAppState(app => app.railOpen)
  const waiting = useAppState(app => app.list?.reduce((sum, one) => sum + one.waiting, 0) ?? 0)
  const title = useAppState(app => app.conversation?.title || app.list?.find(({ id }) => id === app.openId)?.title)
  const shownBeside = openId === undefined ? undefined : sidePanel
  // The conversation list becomes a drawer on a phone, and on a tablet while a panel stands beside the conversation.
  const phone = useMedia('(max-width: 760px)')
  const tablet = useMedia('(max-width: 1100px)')
  useKeyboardShortcuts()
  useEffect(() => {
    document.title = `${waiting ? `(${waiting}) ` : ''}${title ? `${title} · ` : ''}Turnbuckle`
  }, [waiting, title])
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
        <Header />
        <GuardStrip />
        <Banner />
        {mainPanel !== undefined && openId !== undefined ? <PanelView id={mainPanel} /> : <Chat />}
      </main>
      {shownBeside !== undefined && <PanelView id={shownBeside} />}
    </div>
  )
}
