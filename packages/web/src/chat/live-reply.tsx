import type { ReactNode } from 'react'
import type { LiveMessage } from 'turnbuckle/client'
import { Markdown } from './markdown.tsx'
import { Reasoning } from './reasoning.tsx'

/** A reply while it is being written. It takes the room it will have when it is done. */
export function LiveReply({ message }: { readonly message: LiveMessage }): ReactNode {
  return (
    <article className="message assistant live" aria-label="The assistant is writing" aria-busy="true">
      {message.reasoning && <Reasoning text={message.reasoning} live={!message.text} />}
      {message.text && <Markdown text={message.text} live />}
      <div className="message-actions" />
    </article>
  )
}
