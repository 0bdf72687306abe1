import type { Attachment } from 'turnbuckle/client'
import { attempt, type Draft, oneAtATime, useApp } from './app-state.ts'
import { send } from './conversations.ts'
import { queue } from './outbox.ts'
import { runningTurn } from './path.ts'

const { getState: get, setState: set } = useApp

export const edit = (change: Partial<Draft>): void => set({ draft: { ...get().draft, ...change } })
export const attach = (files: readonly Attachment[]): void => edit({ files: [...get().draft.files, ...files] })

/**
 * Sends what is written; to a turn that runs it is said, or with `later` queued behind it. Files cannot be said to one.
 * What is written stays until it has arrived, and what is written meanwhile stays after that.
 */
export async function submit(later: boolean): Promise<void> {
  const { draft, conversation } = get()
  const { text, files } = draft
  if (!text.trim() && !files.length) return
  const running = conversation && runningTurn(conversation)
  if (running && (later || files.length)) {
    queue(text, files)
    taken(draft)
  } else if (await (running ? interject(running, text) : send(text, files))) taken(draft)
}

const interject = (turnId: string, text: string): Promise<true | undefined> =>
  oneAtATime(() => attempt(client => client.interject(turnId, text).then(() => true as const)))

function taken({ text, files }: Draft): void {
  const { draft } = get()
  edit({
    text: draft.text.startsWith(text) ? draft.text.slice(text.length) : draft.text,
    files: draft.files.filter(file => !files.includes(file)),
  })
}
