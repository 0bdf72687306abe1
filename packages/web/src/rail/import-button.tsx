import { type ChangeEvent, type ReactNode, useRef } from 'react'
import { openConversation } from '../conversation/open-conversation.ts'
import { callServer } from '../state/call-server.ts'
import { IconButton } from '../ui/icon-button.tsx'

/** Makes a conversation of a file that was exported, JSON or Markdown, and opens it. */
export function ImportButton(): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  const onChange = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const text = await target.files?.[0]?.text()
    target.value = ''
    if (text === undefined) return
    const made = await callServer(client => client.importConversation(text))
    if (made) await openConversation(made.id)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,.md,application/json,text/markdown"
        aria-label="Conversation to import"
        onChange={event => void onChange(event)}
      />
      <IconButton icon="upload" label="Import a conversation" onClick={() => input.current?.click()} />
    </>
  )
}
