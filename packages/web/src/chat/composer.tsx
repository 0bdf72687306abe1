import { type ChangeEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import type { Attachment } from 'turnbuckle/client'
import { runningTurn } from '../conversation/running-turn.ts'
import { stopTurn } from '../conversation/stop-turn.ts'
import { attachFiles, editDraft, submitDraft } from '../conversation/submit-draft.ts'
import { panels } from '../panels.ts'
import { useAppState } from '../state/app-state.ts'
import { showNotice } from '../state/show-notice.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { QueuedMessages } from './queued-messages.tsx'
import { readFiles } from './read-files.ts'

const add = (list: Iterable<File>): void =>
  void readFiles(list).then(attachFiles, error => showNotice((error as Error).message))

const idleHint = [
  'Enter sends',
  'Shift+Enter for a new line',
  'Alt+N new',
  ...panels.map(({ id, key }) => `Alt+${key} ${id}`),
].join(' · ')

/** The message box. While a turn runs its text is interjected or queued, and the turn can be stopped. */
export function Composer(): ReactNode {
  const running = useAppState(app => app.conversation !== undefined && runningTurn(app.conversation) !== undefined)
  const { text, files } = useAppState(app => app.draft)
  return (
    <div className="composer">
      <QueuedMessages />
      {files.length > 0 && (
        <Files files={files} remove={gone => editDraft({ files: files.filter(file => file !== gone) })} />
      )}
      <div className="composer-box">
        <AttachButton disabled={running} />
        <Box text={text} running={running} />
        {running && (
          <>
            <button
              type="button"
              className="button small"
              disabled={!text.trim()}
              onClick={() => void submitDraft(true)}
              title="Alt+Enter"
            >
              After
            </button>
            <IconButton icon="stop" label="Stop (ESC ESC)" className="stop" onClick={stopTurn} />
          </>
        )}
        <IconButton
          icon="send"
          label={running ? 'Say it to the running turn' : 'Send'}
          className="send"
          disabled={!text.trim() && !files.length}
          onClick={() => void submitDraft(false)}
        />
      </div>
      <p className="composer-hint">
        {running ? 'Enter says it to the running turn · Alt+Enter sends it after · ESC ESC stops' : idleHint}
      </p>
    </div>
  )
}

function Box({ text, running }: { readonly text: string; readonly running: boolean }): ReactNode {
  const box = useRef<HTMLTextAreaElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(element.scrollHeight, 220)}px`
  }, [text])
  const onKeyDown = (event: KeyboardEvent) => {
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
      placeholder={running ? 'Say something …' : 'Write a message …'}
      value={text}
      onChange={event => editDraft({ text: event.target.value })}
      onKeyDown={onKeyDown}
      onPaste={event => event.clipboardData.files.length && add([...event.clipboardData.files])}
      onDrop={event => {
        if (!event.dataTransfer.files.length) return
        event.preventDefault()
        add([...event.dataTransfer.files])
      }}
    />
  )
}

function AttachButton({ disabled }: { readonly disabled: boolean }): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    add([...(event.target.files ?? [])])
    event.target.value = ''
  }
  return (
    <>
      <input ref={input} type="file" multiple hidden aria-label="Files to attach" onChange={onChange} />
      <IconButton icon="clip" label="Attach files" disabled={disabled} onClick={() => input.current?.click()} />
    </>
  )
}

interface FilesProps {
  readonly files: readonly Attachment[]
  readonly remove: (file: Attachment) => void
}

function Files({ files, remove }: FilesProps): ReactNode {
  return (
    <ul className="attached" aria-label="Attached">
      {files.map(file => (
        <li key={`${file.name} ${file.data.length}`}>
          {file.mediaType.startsWith('image/') && <img src={`data:${file.mediaType};base64,${file.data}`} alt="" />}
          <span>{file.name}</span>
          <IconButton icon="close" size={14} label={`Remove ${file.name ?? 'the file'}`} onClick={() => remove(file)} />
        </li>
      ))}
    </ul>
  )
}
