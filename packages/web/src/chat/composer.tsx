import {
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { answerByLoneKey } from '../conversation/answer-by-lone-key.ts'
import { runningTurn } from '../conversation/facts/running-turn.ts'
import { attachFiles } from '../conversation/loading/upload-files.ts'
import { stopTurn } from '../conversation/stop-turn.ts'
import { editDraft, submitDraft } from '../conversation/submit-draft.ts'
import { AttachedFiles } from '../files/attached-files.tsx'
import { isLongPaste } from '../files/fold-paste.ts'
import { FoldedPastes } from '../files/folded-pastes.tsx'
import { panels } from '../panels.ts'
import { answerOfText, questionAtComposer } from '../requests/composer-answer.ts'
import { type AppState, useAppState } from '../state/app-state.ts'
import { isSendable } from '../state/drafts.ts'
import { randomId } from '../state/random-id.ts'
import { focusComposer } from '../ui/hand-focus-on.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { ModelChip } from './model-chip.tsx'
import { QueuedMessages } from './queued-messages.tsx'
import { isFocusFree, useQuestionFocus } from './use-question-focus.ts'

const idleHint = [
  'Enter sends',
  'Shift+Enter for a new line',
  'Alt+N new',
  ...panels.map(({ id, key }) => `Alt+${key} ${id}`),
]
const queuedHint = ['Enter sends it after this turn', 'ESC ESC stops']
const runningHint = ['Enter says it to the running turn', 'Alt+Enter sends it after', 'ESC ESC stops']
const askedHints: Readonly<Record<string, readonly string[]>> = {
  permission: ['A allows once', 'D denies', 'or write why not, and Enter denies with that reason'],
  edited: ['Your edit is answered in its form', 'or write why not, and Enter denies with that reason'],
  clarification: ['Enter answers the question', 'ESC ESC stops'],
}

/** The kind of the question that the composer answers; `edited` is a permission while a call is edited, which no key answers then. */
function askedKind(app: AppState): string {
  const kind = questionAtComposer(app)?.kind ?? ''
  return kind === 'permission' && app.editedCalls ? 'edited' : kind
}

/** The words of the box and of its button while a question waits that text answers. They are all that a phone shows of it. */
interface AskedWords {
  readonly placeholder: string
  readonly send: string
}
const askedWords: Readonly<Record<string, AskedWords>> = {
  permission: { placeholder: 'Why not? Sending denies', send: 'Deny with this reason' },
  yes: { placeholder: 'Why not? Sending denies', send: 'Allow once' },
  clarification: { placeholder: 'Your answer …', send: 'Answer the question' },
}

/** The words while the draft, sent now, answers the waiting question: one with files is queued, and some questions need their form. */
function wordsOfQuestion(app: AppState): AskedWords | undefined {
  const { draft } = app
  const question = draft.files.length ? undefined : questionAtComposer(app)
  if (!question || answerOfText(question, draft.text) === undefined) return undefined
  const isYes = question.kind === 'permission' && draft.text.trim().toLowerCase() === 'a'
  return askedWords[isYes ? 'yes' : question.kind]
}

const isRunning = ({ conversation }: AppState): boolean =>
  conversation !== undefined && runningTurn(conversation) !== undefined

/** The message box. While a turn runs its text is interjected or queued, and the turn can be stopped. */
export function Composer(): ReactNode {
  const running = useAppState(isRunning)
  const text = useAppState(app => app.draft.text)
  const hasFiles = useAppState(app => app.draft.files.length > 0)
  const sending = useAppState(app => app.sending)
  const kind = useAppState(askedKind)
  const asked = useAppState(wordsOfQuestion)
  const hint = askedHints[kind] ?? (running ? (hasFiles ? queuedHint : runningHint) : idleHint)
  return (
    <div className="composer" aria-busy={sending}>
      <QueuedMessages />
      <AttachedFiles />
      <FoldedPastes />
      <div className="composer-box">
        <AttachButton />
        <Box text={text} placeholder={asked?.placeholder ?? (running ? 'Say something …' : 'Write a message …')} />
        {running ? <RunningButtons asked={asked} hasFiles={hasFiles} /> : <SendButton />}
      </div>
      <div className="composer-foot">
        <ModelChip />
        <p className="composer-hint">
          {hint.map((part, i) => (
            <span key={part}>{i > 0 ? ` · ${part}` : part}</span>
          ))}
        </p>
      </div>
    </div>
  )
}

function SendButton(): ReactNode {
  const sendable = useAppState(app => isSendable(app.draft))
  return (
    <IconButton
      icon="send"
      label="Send"
      className="send"
      disabled={!sendable}
      onClick={() => void submitDraft(false)}
    />
  )
}

interface RunningButtonsProps {
  readonly asked: AskedWords | undefined
  readonly hasFiles: boolean
}

/** While a turn runs: Stop, and once something is written, saying it now or after. A draft with files always goes after. */
function RunningButtons({ asked, hasFiles }: RunningButtonsProps): ReactNode {
  const sendable = useAppState(app => isSendable(app.draft))
  const label = asked?.send ?? (hasFiles ? 'Send after this turn' : 'Say it to the running turn')
  return (
    <>
      {sendable && !asked && !hasFiles && (
        <button type="button" className="button small" onClick={() => void submitDraft(true)} title="Alt+Enter">
          After
        </button>
      )}
      {sendable && <IconButton icon="send" label={label} onClick={() => void submitDraft(false)} />}
      <IconButton icon="stop" label="Stop (ESC ESC)" className="send stop" onClick={stopAndStay} />
    </>
  )
}

/** The button is Send once the turn has ended, and cannot be pressed while nothing is written: the focus leaves it before. */
function stopAndStay(): void {
  focusComposer()
  stopTurn()
}

/** A long text stays out of the box, which would have to lay it out anew with each letter. */
function foldLongPaste(event: ClipboardEvent): void {
  const pasted = event.clipboardData.getData('text/plain')
  if (event.clipboardData.files.length || !isLongPaste(pasted)) return
  event.preventDefault()
  const { pastes } = useAppState.getState().draft
  editDraft({ pastes: [...pastes, { key: randomId(), text: pasted }] })
}

function Box({ text, placeholder }: { readonly text: string; readonly placeholder: string }): ReactNode {
  const box = useRef<HTMLTextAreaElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text])
  const openId = useAppState(app => app.openId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each conversation that is opened gives the box the focus
  useEffect(() => {
    // Where the first message has made the conversation, the person may be elsewhere by now.
    const isOpened = !useAppState.getState().sending || isFocusFree(document.activeElement)
    // On a phone the focus would open the keyboard over what there is to read.
    if (isOpened && matchMedia('(hover: hover)').matches) box.current?.focus({ preventScroll: true })
  }, [openId])
  useQuestionFocus(box)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!text && !event.ctrlKey && !event.metaKey && !event.altKey) answerByLoneKey(event.key)
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void submitDraft(event.altKey)
  }
  return (
    <textarea
      id="composer"
      ref={box}
      rows={1}
      aria-label="Message"
      placeholder={placeholder}
      value={text}
      onChange={event => editDraft({ text: event.target.value })}
      onKeyDown={onKeyDown}
      onPaste={foldLongPaste}
    />
  )
}

function AttachButton(): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    attachFiles([...(event.target.files ?? [])])
    event.target.value = ''
  }
  return (
    <>
      <input ref={input} type="file" multiple hidden aria-label="Files to attach" onChange={onChange} />
      <IconButton icon="clip" label="Attach files" onClick={() => input.current?.click()} />
    </>
  )
}
