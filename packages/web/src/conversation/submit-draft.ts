import type { Attachment } from 'turnbuckle/client'
import { type Draft, useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { sendOneAtATime } from '../state/send-one-at-a-time.ts'
import { runningTurn } from './running-turn.ts'
import { sendMessage } from './send-message.ts'
import { queueMessage } from './send-queued-messages.ts'

const { getState: get, setState: set } = useAppState

export const editDraft = (change: Partial<Draft>): void => set({ draft: { ...get().draft, ...change } })
export const attachFiles = (files: readonly Attachment[]): void =>
  editDraft({ files: [...get().draft.files, ...files] })

/**
 * Sends the draft. While a turn runs, its text is interjected, or with `later` queued until the turn has ended; a draft
 * with files is always queued then. The draft stays until the server has it; text typed in the meantime stays after that.
 */
export async function submitDraft(later: boolean): Promise<void> {
  const { draft, conversation } = get()
  const { text, files } = draft
  if (!text.trim() && !files.length) return
  const running = conversation && runningTurn(conversation)
  if (running && (later || files.length)) {
    queueMessage(text, files)
    removeSentPart(draft)
  } else if (await (running ? interject(running, text) : sendMessage(text, files))) removeSentPart(draft)
}

const interject = (turnId: string, text: string): Promise<true | undefined> =>
  sendOneAtATime(() => callServer(client => client.interject(turnId, text).then(() => true as const)))

function removeSentPart({ text, files }: Draft): void {
  const { draft } = get()
  editDraft({
    text: draft.text.startsWith(text) ? draft.text.slice(text.length) : draft.text,
    files: draft.files.filter(file => !files.includes(file)),
  })
}
