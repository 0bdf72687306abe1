import type { MouseEvent, ReactNode } from 'react'

interface Props {
  readonly href?: string | undefined
  readonly children?: ReactNode
}

/**
 * A link of a message. Pages open in a tab of their own, which learns nothing of this one; footnotes and headings are
 * gone to on this page; any other address is only text.
 */
export function Link({ href, children }: Props): ReactNode {
  const note = /^#note-(\d+)$/.exec(href ?? '')?.[1]
  if (note) return <NoteReference number={note} />
  if (href?.startsWith('#'))
    return (
      <button type="button" className="link" onClick={event => goToHeading(event, href.slice(1))}>
        {children}
      </button>
    )
  if (!href || !/^(https?:|mailto:)/i.test(href)) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  )
}

function NoteReference({ number }: { readonly number: string }): ReactNode {
  return (
    <sup>
      <button
        type="button"
        className="note-reference"
        data-reference={number}
        aria-label={`Footnote ${number}`}
        onClick={event => goInMessage(event, `[data-note="${number}"]`)}
      >
        {number}
      </button>
    </sup>
  )
}

/** Scrolls to an element of the same message and gives it the focus. The address stays: its hash is for the token. */
export function goInMessage({ currentTarget }: MouseEvent<HTMLElement>, selector: string): void {
  go(currentTarget.closest('.prose')?.querySelector<HTMLElement>(selector))
}

function goToHeading({ currentTarget }: MouseEvent<HTMLElement>, slug: string): void {
  const headings = currentTarget.closest('.prose')?.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6') ?? []
  go([...headings].find(heading => slugOf(heading.textContent ?? '') === slugOf(slug)))
}

function go(target: HTMLElement | null | undefined): void {
  if (!target) return
  target.tabIndex = target.tabIndex < 0 ? -1 : target.tabIndex
  target.scrollIntoView({ block: 'nearest' })
  target.focus({ preventScroll: true })
}

const slugOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')
