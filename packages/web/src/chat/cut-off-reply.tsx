import type { ReactNode } from 'react'
import { Markdown } from '../message/markdown.tsx'

/**
 * The text of a reply that was being written when the server ended. It stays until the resumed turn writes the reply
 * anew.
 */
export function CutOffReply({ text, running }: { readonly text: string; readonly running: boolean }): ReactNode {
  return (
    <article className="message assistant lost" aria-label="Cut off when the server ended">
      <Markdown text={text} live />
      <p className="cut">
        {running ? 'Cut off when the server ended; it is being written anew' : 'Cut off when the server ended'}
      </p>
    </article>
  )
}
