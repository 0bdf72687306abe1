import { type Draft, useAppState } from './app-state.ts'

const { getState: get, setState: set } = useAppState

export const emptyDraft: Draft = { text: '', files: [] }

/** The key of the draft for a conversation; the blank page has one too. */
export const draftKey = (conversationId: string | undefined): string => conversationId ?? ''

const isEmpty = ({ text, files }: Draft): boolean => !text && !files.length

/** Puts the open conversation's draft aside, and takes out the one of the conversation that is opened. */
export function switchDraft(to: string | undefined): void {
  const { openId, draft, drafts } = get()
  if (openId === to) return
  const { [draftKey(to)]: found = emptyDraft, ...others } = drafts
  set({ draft: found, drafts: isEmpty(draft) ? others : { ...others, [draftKey(openId)]: draft } })
}

/** Adds a message that could not be sent to the draft of its conversation, open or not. */
export function addToDraft(conversationId: string, { text, files }: Draft): void {
  const { openId, draft, drafts } = get()
  const before = conversationId === openId ? draft : (drafts[conversationId] ?? emptyDraft)
  const fuller = { text: [before.text, text].filter(Boolean).join('\n'), files: [...before.files, ...files] }
  set(conversationId === openId ? { draft: fuller } : { drafts: { ...drafts, [conversationId]: fuller } })
}
