import type { Attachment } from 'turnbuckle/client'
import { answerOfText, questionAtComposer } from '../requests/composer-answer.ts'
import { type Draft, useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { sendOneAtATime } from '../state/send-one-at-a-time.ts'
import { answerRequest } from './answer-request.ts'
import { runningTurn } from './running-turn.ts'
import { sendMessage } from './send-message.ts'
import { queueMessage } from './send-queued-messages.ts'

const { getState: get, setState: set } = useAppState

export const editDraft = (change: Partial<Draft>): void => set({ draft: { ...get().draft, ...change } })
export const attachFiles = (files: readonly Attachment[]): void =>
  editDraft({ files: [...get().draft.files, ...files] })

/**
 * Sends the draft. A question that waits gets it as its answer where it fits. While a turn runs, its text is interjected, or with `later` queued until the turn has ended; a draft
 * with files is always queued then. The draft stays until the server has it; text typed in the meantime stays after that.
 */
export async function submitDraft(later: boolean): Promise<void> {
  const { draft, conversation } = get()
  const { text, files } = draft
  if (!text.trim() && !files.length) return
  const running = conversation && runningTurn(conversation)
  if (!later && (await answerWith(draft))) return
  if (running && (later || files.length)) {
    queueMessage(text, files)
    removeSentPart(draft)
  } else if (await (running ? interject(running, text) : sendMessage(text, files))) removeSentPart(draft)
}

/** Answers the waiting question with the draft's text; false where no question waits that text can answer. */
async function answerWith(draft: Draft): Promise<boolean> {
  const question = draft.files.length ? undefined : questionAtComposer(get().conversation)
  const answer = question && answerOfText(question, draft.text)
  if (!question || answer === undefined) return false
  if (await answerRequest(question.id, answer)) removeSentPart(draft)
  return true
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
