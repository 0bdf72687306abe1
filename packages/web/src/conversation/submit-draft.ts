import { answerOfKey, answerOfText, questionAtComposer } from '../requests/composer-answer.ts'
import { type Draft, useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { attachmentsOfDraft, changeDraft, isSendable, textOfDraft } from '../state/drafts.ts'
import { sendOneAtATime, untilArrived } from '../state/send-one-at-a-time.ts'
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
/** The draft that is on its way, and the conversation that it was written in; `undefined` is the blank page. */
interface SentDraft {
  readonly draft: Draft
  readonly from: string | undefined
  /** The conversation that has it; `undefined` where the server did not get it. */
  readonly arrived: Promise<string | undefined>
}
let onItsWay: SentDraft | undefined

/**
 * Sends the draft, once the message before it has arrived and its files are uploaded. A question that waits gets it as its answer where it
 * fits. While a turn runs, its text is interjected, or with `later` queued until the turn has ended; a draft with files is always queued then.
 * The draft stays until the server has it, whichever conversation is open by then; text typed in the meantime stays after that.
 */
export async function submitDraft(later: boolean): Promise<void> {
  const { draft, sending, openId } = get()
  // A second press: nothing was added to what is on its way.
  const isSame = onItsWay?.from === openId
  if (isWaiting || !isSendable(onItsWay && isSame ? withoutPart(draft, onItsWay.draft) : draft)) return
  if ((onItsWay || sending || hasUnfinishedFile(draft)) && !(await isReady())) return
  const { draft: now, openId: from } = get()
  onItsWay = { draft: now, from, arrived: deliver(now, later) }
  const to = await onItsWay.arrived
  // A new conversation took the draft of the blank page along, unless the person had gone elsewhere.
  if (to !== undefined) for (const id of new Set([from, to])) changeDraft(id, one => withoutPart(one, now))
  onItsWay = undefined
}

/** Resolves to the conversation that got the draft, or has it queued. */
async function deliver(draft: Draft, later: boolean): Promise<string | undefined> {
  const { conversation, openId } = get()
  const { files } = draft
  const text = textOfDraft(draft)
  const running = conversation && runningTurn(conversation)
  const answered = later ? undefined : answerWith(draft)
  if (answered) return (await answered) ? openId : undefined
  if (!running) return sendMessage(text, attachmentsOfDraft(files))
  if (!later && !files.length) return (await interject(running, text)) ? openId : undefined
  queueMessage(text, files)
  return openId
}

const hasUnfinishedFile = ({ files }: Draft): boolean => files.some(({ id }) => id === undefined)

/** Waits for the message before, then for the files. False where one failed, nothing is left to send, or the person has gone elsewhere. */
async function isReady(): Promise<boolean> {
  const { openId } = get()
  isWaiting = true
  try {
    const to = await whereArrived()
    const isHere = to !== false && [openId, to].includes(get().openId)
    return isHere && (!hasUnfinishedFile(get().draft) || (await hasUploads())) && isSendable(get().draft)
  } finally {
    isWaiting = false
  }
}

/** The conversation that got the message before; false where the draft before did not arrive, and stays. */
async function whereArrived(): Promise<string | undefined | false> {
  const { openId } = get()
  const to = onItsWay ? ((await onItsWay.arrived) ?? false) : openId
  await untilArrived()
  return to
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
function answerWith(draft: Draft): Promise<boolean> | undefined {
  const question = draft.files.length ? undefined : questionAtComposer(get())
  const text = textOfDraft(draft)
  if (question && get().editedCalls && answerOfKey(question, text.trim())) {
    showNotice('You are editing a call: Allow or Deny it in its form.')
    return Promise.resolve(false)
  }
  const answer = question && answerOfText(question, text)
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
