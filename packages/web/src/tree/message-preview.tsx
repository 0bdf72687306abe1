import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { callsOf, textOf } from '../conversation/facts/message-parts.ts'
import type { MessageTree } from '../conversation/facts/message-tree.ts'
import { Markdown } from '../message/markdown.tsx'
import { formatJson } from '../ui/format-json.ts'
import { formatUsage } from '../ui/format-usage.ts'

const waitMs = 300
const longest = 1200
const width = 384
const height = 320
const gap = 8

/** The message, and the place of its preview on the page: above a message that has no room below it. */
type Place = { readonly id: string; readonly left: number } & ({ readonly top: number } | { readonly bottom: number })

interface Props {
  readonly nodes: MessageTree
  /** The panel whose messages are previewed. */
  readonly panel: RefObject<HTMLElement | null>
}

/**
 * More of the message that the pointer rests on, or that has the keyboard's focus, beside it. Escape takes it away; the
 * pointer may move onto it. Its state is its own, so that the tree is not drawn again for it.
 */
export function MessagePreview({ nodes, panel }: Props): ReactNode {
  const place = usePreviewPlace(panel)
  const node = place && nodes.get(place.id)
  if (!node) return null
  const { createdAt, usage, message } = node
  const { id: _, ...style } = place
  return (
    <div className="tree-preview" role="tooltip" id="tree-preview" style={style}>
      <p className="tree-preview-head">
        <span>
          {createdAt
            ? new Date(createdAt).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
            : message.role}
        </span>
        {usage && <span className="usage">{formatUsage(usage)}</span>}
      </p>
      <Beginning node={node} />
    </div>
  )
}

function Beginning({ node: { message } }: { readonly node: WireNode }): ReactNode {
  const result = message.content.find(part => part.type === 'result')
  if (result) return <pre className="value">{formatJson(result.value).slice(0, longest)}</pre>
  const text = textOf(message)
  const cut = text.length > longest ? `${text.slice(0, longest)} …` : text
  return (
    <>
      {message.role === 'assistant' ? (
        <Markdown text={cut} live={text.length > longest} />
      ) : (
        <p className="said">{cut}</p>
      )}
      {callsOf(message).map(({ id, name, args }) => (
        <pre key={id} className="value">
          {`${name} ${formatJson(args)}`.slice(0, longest)}
        </pre>
      ))}
    </>
  )
}

function usePreviewPlace(panel: RefObject<HTMLElement | null>): Place | undefined {
  const [place, setPlace] = useState<Place>()
  useEffect(() => {
    const element = panel.current
    if (!element) return
    let timer: number | undefined
    const show = (after: number, next: Place | undefined) => {
      clearTimeout(timer)
      timer = window.setTimeout(() => setPlace(next), after)
    }
    const over = ({ target }: Event) => {
      if (!(target instanceof Element)) return
      if (target.closest('.tree-preview')) return clearTimeout(timer)
      const node = target.closest<HTMLElement>('[data-node]')
      show(waitMs, node ? placeBeside(node) : undefined)
    }
    const focus = ({ target }: Event) => {
      if (target instanceof HTMLElement && target.matches('[data-node]:focus-visible'))
        show(waitMs, placeBeside(target))
    }
    const away = () => show(waitMs, undefined)
    const now = () => show(0, undefined)
    const key = ({ key: pressed }: KeyboardEvent) => pressed === 'Escape' && now()
    const listeners = {
      pointerover: over,
      focusin: focus,
      pointerleave: away,
      focusout: away,
      pointerdown: now,
      wheel: now,
    }
    for (const [name, listener] of Object.entries(listeners))
      element.addEventListener(name, listener, { passive: true })
    document.addEventListener('keydown', key)
    return () => {
      clearTimeout(timer)
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener)
      document.removeEventListener('keydown', key)
    }
  }, [panel])
  return place
}

/** Right of the message, or left of it where there is no room; on a narrow page below it or, low on the page, above it. */
function placeBeside(node: HTMLElement): Place {
  const { left, right, top, bottom } = node.getBoundingClientRect()
  const id = node.dataset.node ?? ''
  const highest = Math.min(top, innerHeight - height)
  if (right + gap + width <= innerWidth) return { id, left: right + gap, top: highest }
  if (left - gap - width >= 0) return { id, left: left - gap - width, top: highest }
  const under = { id, left: Math.max(gap, innerWidth - width - gap) }
  if (bottom + gap + height <= innerHeight || top < innerHeight / 2) return { ...under, top: bottom + gap }
  return { ...under, bottom: innerHeight - top + gap }
}
