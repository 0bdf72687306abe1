import { type MouseEvent, type ReactNode, useContext, useLayoutEffect, useRef } from 'react'
import type { CallAgent, SubAgentState } from 'turnbuckle/client'
import { subAgentStatus, subAgentWork, type WorkItem } from '../conversation/facts/sub-agent-work.ts'
import { followLinkHere } from '../conversation/follow-link-here.ts'
import { addressOfLink, linkInAddress } from '../share/link-in-address.ts'
import { ReadOnlyContext } from '../share/read-only.ts'
import { addressOf } from '../state/conversation-in-address.ts'
import { callGist } from '../ui/call-gist.ts'
import { Icon } from '../ui/icon.tsx'
import { Markdown } from './markdown.tsx'

interface Props {
  readonly agent: CallAgent | undefined
  /** What the sub-agent does, while it works. */
  readonly work: SubAgentState | undefined
}

const words = {
  running: 'works',
  completed: 'is done',
  stopped: 'was stopped',
  failed: 'failed',
  interrupted: 'was interrupted',
} as const

/** The sub-agent of a call: while it works its calls and text as they come, and at any time the way to its conversation. */
export function SubAgent({ agent, work }: Props): ReactNode {
  const name = work?.agent ?? agent?.name
  const id = agent?.conversationId
  return (
    // biome-ignore lint/a11y/useSemanticElements: one of many is no landmark, and a fieldset is for forms
    <div className="sub-agent" role="group" aria-label={`Sub-agent ${name}`}>
      <p className="sub-agent-head">
        <Icon name="tree" size={14} />
        <span>
          <strong>{name}</strong>
          {work && ` ${words[subAgentStatus(work.state)]}`}
        </span>
        {id !== undefined && <WayIn id={id} />}
      </p>
      {work && <Work work={work} />}
    </div>
  )
}

/** On the page of a read-only link, the link opens the sub-agent's conversation too. */
function WayIn({ id }: { readonly id: string }): ReactNode {
  const link = useContext(ReadOnlyContext) ? linkInAddress() : undefined
  const here = link ? { href: addressOfLink({ ...link, agent: id }) } : hereTo(id)
  return (
    <a className="link" {...here}>
      Open its conversation
    </a>
  )
}
const hereTo = (id: string) => ({ href: addressOf(id), onClick: (event: MouseEvent) => followLinkHere(event, id) })

/** The box keeps its end in view, unless the person has scrolled up in it. */
function Work({ work }: { readonly work: SubAgentState }): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  const items = subAgentWork(work.state)
  useLayoutEffect(() => {
    if (box.current && sticks.current) box.current.scrollTop = box.current.scrollHeight
  })
  if (!items.length) return null
  const onScroll = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {}
    sticks.current = scrollHeight - scrollTop - clientHeight < 24
  }
  return (
    <div
      className="sub-agent-work"
      ref={box}
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: long work is scrolled with the keyboard
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={`Work of ${work.agent}`}
    >
      <Items items={items} />
    </div>
  )
}

function Items({ items }: { readonly items: readonly WorkItem[] }): ReactNode {
  return items.map(item =>
    item.type === 'text' ? (
      <Markdown key={item.key} text={item.text} live={item.growing} />
    ) : (
      <CallItem key={item.key} item={item} />
    ),
  )
}

const marks: Readonly<Record<string, 'check' | 'clock'>> = { ok: 'check', pending: 'clock' }

function CallItem({
  item: { name, args, status, inside },
}: {
  readonly item: Extract<WorkItem, { type: 'call' }>
}): ReactNode {
  return (
    <>
      <p className="sub-agent-call" data-status={status}>
        {status === 'executing' ? (
          <span className="spinner" aria-hidden="true" />
        ) : (
          <Icon name={marks[status] ?? 'warn'} size={14} />
        )}
        <code>{name}</code>
        <span className="tool-gist">{callGist(args)}</span>
        <span className="visually-hidden">{status}</span>
      </p>
      {inside.map(({ agent, state }) => (
        <div key={state.id} className="sub-agent-inside">
          <p>
            <strong>{agent}</strong>
          </p>
          <Items items={subAgentWork(state)} />
        </div>
      ))}
    </>
  )
}
