import { answerOfText, questionAtComposer } from '../requests/composer-answer.ts'
import { type Draft, useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { attachmentsOfDraft, isSendable, textOfDraft } from '../state/drafts.ts'
import { sendOneAtATime } from '../state/send-one-at-a-time.ts'
import { showNotice } from '../state/show-notice.ts'
import { answerRequest } from './answer-request.ts'
import { runningTurn } from './running-turn.ts'
import { sendMessage } from './send-message.ts'
import { queueMessage } from './send-queued-messages.ts'
import { untilUploaded } from './upload-files.ts'

const { getState: get, setState: set } = useAppState

export const editDraft = (change: Partial<Draft>): void => set({ draft: { ...get().draft, ...change } })

/** A press of Send waits until the files are uploaded: another press meanwhile is none. */
let isWaiting = false

/**
 * Sends the draft, once its files are uploaded. A question that waits gets it as its answer where it fits. While a turn runs, its text is
 * interjected, or with `later` queued until the turn has ended; a draft with files is always queued then. The draft stays until the server
 * has it; text typed in the meantime stays after that.
 */
export async function submitDraft(later: boolean): Promise<void> {
  if (isWaiting || !isSendable(get().draft)) return
  if (get().draft.files.some(({ id }) => id === undefined) && !(await hasUploads())) return
  const { draft, conversation } = get()
  const { files } = draft
  const text = textOfDraft(draft)
  const running = conversation && runningTurn(conversation)
  if (!later && (await answerWith(draft))) return
  if (running && (later || files.length)) {
    queueMessage(text, files)
    removeSentPart(draft)
  } else if (await (running ? interject(running, text) : sendMessage(text, attachmentsOfDraft(files))))
    removeSentPart(draft)
}

/** True once the server has every file of the draft. False where one failed, or the person opened another conversation meanwhile. */
async function hasUploads(): Promise<boolean> {
  const { openId, draft } = get()
  isWaiting = true
  await untilUploaded(draft.files)
  isWaiting = false
  const failed = get().draft.files.find(({ problem }) => problem !== undefined)
  if (failed) showNotice(`${failed.name} could not be uploaded. Try it again, or remove it.`)
  return get().openId === openId && !failed
}

/** Answers the waiting question with the draft's text; false where no question waits that text can answer. */
async function answerWith(draft: Draft): Promise<boolean> {
  const question = draft.files.length ? undefined : questionAtComposer(get().conversation)
  const answer = question && answerOfText(question, textOfDraft(draft))
  if (!question || answer === undefined) return false
  if (await answerRequest(question.id, answer)) removeSentPart(draft)
  return true
}

const interject = (turnId: string, text: string): Promise<true | undefined> =>
  sendOneAtATime(() => callServer(client => client.interject(turnId, text).then(() => true as const)))

function removeSentPart({ text, files, pastes }: Draft): void {
  const { draft } = get()
  editDraft({
    text: draft.text.startsWith(text) ? draft.text.slice(text.length) : draft.text,
    files: draft.files.filter(file => !files.includes(file)),
    pastes: draft.pastes.filter(paste => !pastes.includes(paste)),
  })
}
