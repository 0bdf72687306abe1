import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { signInWithToken } from './conversation/loading/sign-in-with-token.ts'
import { openConversation } from './conversation/open-conversation.ts'
import { linkInAddress } from './share/link-in-address.ts'
import { SignIn } from './sign-in.tsx'
import { useAppState } from './state/app-state.ts'
import { conversationInAddress } from './state/conversation-in-address.ts'
import { settingsInAddress } from './state/settings-in-address.ts'
import { storedToken, takeTokenFromAddress } from './state/stored-token.ts'
import { Workspace } from './workspace.tsx'

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
