import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Chat } from './chat/chat.tsx'
import { Header } from './header.tsx'
import { useKeyboard } from './keyboard.ts'
import { Rail } from './rail/rail.tsx'
import { SignIn } from './sign-in.tsx'
import { show, useApp } from './state/app-state.ts'
import { enter, open } from './state/conversations.ts'
import { conversationInAddress, keptToken, takeToken } from './state/session.ts'
import { Banner } from './ui/banner.tsx'
import { Boundary } from './ui/boundary.tsx'
import { useMedia } from './ui/use-media.ts'

const TreeView = lazy(() => import('./tree/tree-view.tsx'))
const Inspector = lazy(() => import('./inspector/inspector.tsx'))

export function App(): ReactNode {
  const client = useApp(app => app.client)
  const refused = useApp(app => app.status === 'refused')
  useEffect(() => {
    // An address that differs only in its token is opened without loading the page.
    const arrive = () => {
      const { client: before, openId } = useApp.getState()
      const token = takeToken() ?? (before ? undefined : keptToken())
      const id = conversationInAddress()
      if (token) enter(token)
      else if (id !== openId) void open(id)
    }
    arrive()
    window.addEventListener('popstate', arrive)
    return () => window.removeEventListener('popstate', arrive)
  }, [])
  if (!client || refused) return <SignIn refused={refused} />
  return <Workspace />
}

function Workspace(): ReactNode {
  const panel = useApp(app => app.panel)
  const inspecting = useApp(app => app.inspecting)
  const openId = useApp(app => app.openId)
  const railOpen = useApp(app => app.railOpen)
  const waiting = useApp(app => app.list?.reduce((sum, one) => sum + one.waiting, 0) ?? 0)
  const title = useApp(app => app.conversation?.title || app.list?.find(({ id }) => id === app.openId)?.title)
  const inspector = inspecting && openId !== undefined
  // The list gives way to the conversation, and on a tablet to the inspector beside it.
  const phone = useMedia('(max-width: 760px)')
  const tablet = useMedia('(max-width: 1100px)')
  useKeyboard()
  useEffect(() => {
    document.title = `${waiting ? `(${waiting}) ` : ''}${title ? `${title} · ` : ''}Turnbuckle`
  }, [waiting, title])
  return (
    <div className="app" data-inspecting={inspector} data-drawer={phone || (tablet && inspector)} data-rail={railOpen}>
      <a className="skip-link" href="#stage">
        Skip to the conversation
      </a>
      <Rail />
      {railOpen && (
        <button type="button" className="scrim" aria-label="Close the list" onClick={() => show({ railOpen: false })} />
      )}
      <main className="stage" id="stage" tabIndex={-1}>
        <Header />
        <Banner />
        {panel === 'tree' && openId !== undefined ? (
          <Boundary what="The tree">
            <Suspense fallback={<p className="loading">Loading the tree …</p>}>
              <TreeView />
            </Suspense>
          </Boundary>
        ) : (
          <Chat />
        )}
      </main>
      {inspector && (
        <Boundary what="The inspector">
          <Suspense fallback={<aside className="inspector loading">Loading the inspector …</aside>}>
            <Inspector />
          </Suspense>
        </Boundary>
      )}
    </div>
  )
}
