import type { ReactNode } from 'react'
import type { ConversationCaller } from 'turnbuckle/client'
import { followLinkHere } from './conversation/follow-link-here.ts'
import { addressOf } from './state/conversation-in-address.ts'
import { Icon } from './ui/icon.tsx'

/** Over a sub-agent's conversation: who it is, and the way back to the call that it works for. */
export default function CallerStrip({ caller }: { readonly caller: ConversationCaller }): ReactNode {
  const { conversationId, title, agent, messageId } = caller
  return (
    <nav className="caller-strip" aria-label="Called from">
      <Icon name="left" size={16} />
      <span>
        Sub-agent <strong>{agent}</strong> of
      </span>
      <a
        className="link"
        href={addressOf(conversationId)}
        onClick={event => followLinkHere(event, conversationId, messageId)}
      >
        {title || 'its caller’s conversation'}
      </a>
    </nav>
  )
}
