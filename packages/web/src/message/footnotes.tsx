import type { ReactNode } from 'react'
import type { Footnote } from '../markdown/take-footnotes.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { goInMessage } from './link.tsx'

interface Props {
  readonly notes: readonly Footnote[]
  readonly draw: (text: string) => ReactNode
}

/** The footnotes of a message at its end, each with the way back to its reference. */
export function Footnotes({ notes, draw }: Props): ReactNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: one of many is no landmark, and a fieldset is for forms
    <div className="footnotes" role="group" aria-label="Footnotes">
      <ol>
        {notes.map(({ number, text }) => (
          <li key={number} value={number} data-note={number} tabIndex={-1}>
            {draw(text)}
            <IconButton
              icon="up"
              label={`Back to the reference of footnote ${number}`}
              size={14}
              onClick={event => goInMessage(event, `[data-reference="${number}"]`)}
            />
          </li>
        ))}
      </ol>
    </div>
  )
}
