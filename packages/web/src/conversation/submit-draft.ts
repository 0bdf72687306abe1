import { answerOfText, questionAtComposer } from '../requests/composer-answer.ts'
import { type Draft, useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { attachmentsOfDraft, isSendable, textOfDraft } from '../state/drafts.ts'
import { sendOneAtATime } from '../state/send-one-at-a-time.ts'
import { showNotice } from '../state/show-notice.ts'
import { answerRequest } from './answer-request.ts'
import { runningTurn } from './facts/running-turn.ts'
import { untilUploaded } from './loading/upload-files.ts'
import { sendMessage } from './send-message.ts'
import { queueMessage } from './send-queued-messages.ts'

const { getState: get, setState: set } = useAppState

export const editDraft = (change: Partial<Draft>): void => set({ draft: { ...get().draft, ...change } })

/** A press of Send waits for what is on its way and for uploads: another press meanwhile is none. */
let isWaiting = false
/** The draft that is on its way; `arrived` is false where the server did not get it. */
let onItsWay: { readonly draft: Draft; readonly arrived: Promise<boolean> } | undefined

/**
 * Sends the draft, once the message before it has arrived and its files are uploaded. A question that waits gets it as its answer where it
 * fits. While a turn runs, its text is interjected, or with `later` queued until the turn has ended; a draft with files is always queued then.
 * The draft stays until the server has it; text typed in the meantime stays after that.
 */
export async function submitDraft(later: boolean): Promise<void> {
  const { draft, sending } = get()
  // A second press: nothing was added to what is on its way.
  if (isWaiting || !isSendable(onItsWay ? withoutPart(draft, onItsWay.draft) : draft)) return
  if ((onItsWay || sending || hasUnfinishedFile(draft)) && !(await isReady())) return
  const now = get().draft
  onItsWay = { draft: now, arrived: deliver(now, later) }
  if (await onItsWay.arrived) editDraft(withoutPart(get().draft, now))
  onItsWay = undefined
}

/** Resolves to whether the server got the draft, or it is queued. */
async function deliver(draft: Draft, later: boolean): Promise<boolean> {
  const { conversation } = get()
  const { files } = draft
  const text = textOfDraft(draft)
  const running = conversation && runningTurn(conversation)
  const answered = later ? undefined : await answerWith(draft)
  if (answered !== undefined) return answered
  if (!running) return sendMessage(text, attachmentsOfDraft(files))
  if (!later && !files.length) return interject(running, text)
  queueMessage(text, files)
  return true
}

const hasUnfinishedFile = ({ files }: Draft): boolean => files.some(({ id }) => id === undefined)

/** Waits for the message before, then for the files. False where one failed, or nothing is left to send. */
async function isReady(): Promise<boolean> {
  isWaiting = true
  try {
    return (await hasArrived()) && (!hasUnfinishedFile(get().draft) || (await hasUploads())) && isSendable(get().draft)
  } finally {
    isWaiting = false
  }
}

/** True once nothing is on its way any more; false where the draft before did not arrive, and stays. */
async function hasArrived(): Promise<boolean> {
  if (onItsWay) return onItsWay.arrived
  if (!get().sending) return true
  await new Promise<void>(resolve => {
    const stop = useAppState.subscribe(({ sending }) => {
      if (sending) return
      stop()
      resolve()
    })
  })
  return true
}

/** True once the server has every file of the draft. False where one failed, or the person opened another conversation meanwhile. */
async function hasUploads(): Promise<boolean> {
  const { openId, draft } = get()
  await untilUploaded(draft.files)
  const failed = get().draft.files.find(({ problem }) => problem !== undefined)
  if (failed) showNotice(`${failed.name} could not be uploaded. Try it again, or remove it.`)
  return get().openId === openId && !failed
}

/** Answers the waiting question with the draft's text; `undefined` where no question waits that text can answer. */
async function answerWith(draft: Draft): Promise<boolean | undefined> {
  const question = draft.files.length ? undefined : questionAtComposer(get().conversation)
  const answer = question && answerOfText(question, textOfDraft(draft))
  return question && answer !== undefined ? answerRequest(question.id, answer) : undefined
}

const interject = async (turnId: string, text: string): Promise<boolean> =>
  (await sendOneAtATime(() => callServer(client => client.interject(turnId, text).then(() => true)))) === true

/** A draft without the part that was sent. */
function withoutPart(draft: Draft, { text, files, pastes }: Draft): Draft {
  return {
    text: draft.text.startsWith(text) ? draft.text.slice(text.length) : draft.text,
    files: draft.files.filter(({ key }) => !files.some(file => file.key === key)),
    pastes: draft.pastes.filter(paste => !pastes.includes(paste)),
  }
}
