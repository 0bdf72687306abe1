import type { UploadedFile } from 'turnbuckle/client'
import { type Draft, type DraftFile, useAppState } from './app-state.ts'

const { getState: get, setState: set } = useAppState

export const emptyDraft: Draft = { text: '', files: [], pastes: [] }

/** The key of the draft for a conversation; the blank page has one too. */
export const draftKey = (conversationId: string | undefined): string => conversationId ?? ''

const isEmpty = ({ text, files, pastes }: Draft): boolean => !text && !files.length && !pastes.length

/** The words of a draft as they are sent: folded pastes stand behind what was typed, each a paragraph of its own. */
export const textOfDraft = ({ text, pastes }: Draft): string =>
  [text, ...pastes.map(paste => paste.text)].filter(Boolean).join('\n\n')

/** Something to send: words or files. */
export const isSendable = (draft: Draft): boolean => textOfDraft(draft).trim() !== '' || draft.files.length > 0

/** Puts the open conversation's draft aside, and takes out the one of the conversation that is opened. */
export function switchDraft(to: string | undefined): void {
  const { openId, draft, drafts } = get()
  if (openId === to) return
  const { [draftKey(to)]: found = emptyDraft, ...others } = drafts
  set({ draft: found, drafts: isEmpty(draft) ? others : { ...others, [draftKey(openId)]: draft } })
}

/** Changes the draft of a conversation, open or not. */
export function changeDraft(conversationId: string | undefined, change: (draft: Draft) => Draft): void {
  const { openId, draft, drafts } = get()
  const { [draftKey(conversationId)]: aside = emptyDraft, ...others } = drafts
  const after = change(conversationId === openId ? draft : aside)
  if (conversationId === openId) set({ draft: after })
  else set({ drafts: isEmpty(after) ? others : { ...others, [draftKey(conversationId)]: after } })
}

/** Adds a message that could not be sent to the draft of its conversation, open or not. */
export const addToDraft = (conversationId: string, { text, files }: Pick<Draft, 'text' | 'files'>): void =>
  changeDraft(conversationId, before => ({
    ...before,
    text: [before.text, text].filter(Boolean).join('\n'),
    files: [...before.files, ...files],
  }))

/** Changes a file of a draft, whichever conversation is open by now. */
export function changeDraftFile(key: string, change: (file: DraftFile) => DraftFile): void {
  const changed = (draft: Draft): Draft =>
    draft.files.some(file => file.key === key)
      ? { ...draft, files: draft.files.map(file => (file.key === key ? change(file) : file)) }
      : draft
  const { draft, drafts } = get()
  const all = Object.entries(drafts).map(([id, one]) => [id, changed(one)] as const)
  set({ draft: changed(draft), drafts: Object.fromEntries(all) })
}

/** The files of a draft for the server, which has them already. */
export const attachmentsOfDraft = (files: readonly DraftFile[]): UploadedFile[] =>
  files.flatMap(({ id }) => (id === undefined ? [] : [{ id }]))
