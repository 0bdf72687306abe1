import { type Editor, editorWith, refilled } from '../editor/editor.ts'
import { applyKey } from '../editor/editor-keys.ts'
import { unfoldPastes } from '../editor/fold-paste.ts'
import type { ChatSession } from '../session/chat-session.ts'
import type { Question } from '../transcript/question.ts'
import { answerChoices } from './answer-choices.ts'
import type { KeyPress } from './key-press.ts'

/**
 * A key at a question while the input is empty, or while an answer is being written. False: the key does not belong to
 * the question, so it begins a text in the input.
 */
export function answerKey(session: ChatSession, question: Question, key: KeyPress): boolean {
  if (question.writing) return writeAnswer(session, question, key)
  if (question.confirming) return confirm(session, question, key)
  if (question.kind === 'text') return key.name === 'enter' && blame(session, question, 'Write an answer first.')
  if (key.name === 'enter') return enter(session, question)
  return key.name === 'text' && (letters[question.kind](session, question, key.text) ?? false)
}

/** Order of safety: Enter is yes only to this one call of a tool, and moves the conversation alone, which loses nothing. It is no answer to anything else. */
function enter(session: ChatSession, question: Question): boolean {
  const keys = question.kind === 'outcome' ? 'y, r or s' : 'y or n'
  if (question.kind === 'back') return letters.back(session, question, 'c') === true
  if (question.kind !== 'permission') return blame(session, question, `Enter is no answer here: press ${keys}.`)
  session.answer(question, { decision: 'allow', scope: 'once' })
  return true
}

type Letters = (session: ChatSession, question: Question, letter: string) => boolean | undefined

const yesOrNo: Letters = (session, question, letter) => {
  if (!/^[yn]$/i.test(letter)) return undefined
  session.answer(question, { decision: letter.toLowerCase() === 'y' ? 'allow' : 'deny' })
  return true
}

/** No n: who says no by habit would have the command run again. */
const outcomes: Readonly<Record<string, string>> = { y: 'happened', r: 'not', s: 'stop' }

const parts: Readonly<Record<string, string>> = { c: 'conversation', b: 'both', f: 'files' }

const letters: Readonly<Record<Exclude<Question['kind'], 'text'>, Letters>> = {
  permission: choose,
  'yes-no': yesOrNo,
  plan: (session, question, letter) =>
    letter === 'n' ? beginWriting(session, question, 'reason', '') : yesOrNo(session, question, letter),
  outcome(session, question, letter) {
    if (letter === 'n') return blame(session, question, 'Did it not happen? r runs it now, s ends the turn.')
    if (outcomes[letter] === undefined) return undefined
    session.answer(question, { outcome: outcomes[letter] })
    return true
  },
  back(session, question, letter) {
    if (letter !== 'n' && parts[letter] === undefined) return undefined
    session.answer(question, letter === 'n' ? { decision: 'deny' } : { back: parts[letter] })
    return true
  },
}

function choose(session: ChatSession, question: Question, letter: string): boolean | undefined {
  const choice = answerChoices[letter]
  if (letter === 'n') return beginWriting(session, question, 'reason', '')
  if (letter === 'e') return beginWriting(session, question, 'args', editedText(question))
  if (letter === 'd' && question.delegates) return beginWriting(session, question, 'delegate', '')
  if (letter === '?') return changed(session, question, { help: !question.help, problem: undefined })
  if (!choice) return undefined
  if (choice.decision === 'deny') session.answer(question, question.deniable ? choice : { decision: 'deny' })
  else if (choice.scope === 'once') session.answer(question, choice)
  else if ((question.scopes ?? []).includes(choice.scope))
    return changed(session, question, { confirming: choice, help: false, problem: undefined })
  else return blame(session, question, 'This call can only be allowed once: y.')
  return true
}

/** The pattern is shown: only y grants it. Any other key goes back, and begins a text if it is a letter. */
function confirm(session: ChatSession, question: Question, key: KeyPress): boolean {
  const { confirming } = question
  if (key.name === 'enter') return blame(session, question, 'Enter is no answer here: y grants it, Esc goes back.')
  if (key.name === 'text' && key.text === 'y') session.answer(question, confirming)
  else session.change(question, { confirming: undefined, problem: undefined })
  return key.name !== 'text' || key.text === 'y'
}

/** No to a question, with the reason that was written. The end of a turn's request that takes no answer is its fallback. */
export function refuse(session: ChatSession, question: Question, reason = ''): void {
  const { kind } = question
  if (kind === 'text') session.expire(question)
  else if (kind === 'outcome') session.answer(question, { outcome: 'stop' })
  else session.answer(question, { decision: 'deny', ...(reason ? { reason } : {}) })
}

/** Enter where something is in the input: it answers a question in words, and is the reason of a no to any other. */
export function answerWithText(session: ChatSession, question: Question): void {
  const { editor } = session.state
  const text = unfoldPastes(editor).trim()
  if (question.kind === 'outcome') {
    blame(session, question, 'y, r or s answers this: clear the line first (Ctrl-U).')
    return
  }
  // Nobody takes the reason of a no to the chat's own question, so the text stays where it is.
  if (!question.own) session.set({ editor: refilled(editor) })
  if (question.kind === 'text') session.answer(question, asObject(text) ?? inField(question, text))
  else refuse(session, question, question.own ? '' : text)
}

const inField = ({ field }: Question, text: string): object =>
  field === undefined ? { text } : field ? { [field]: text } : {}

const blame = (session: ChatSession, question: Question, problem: string): true =>
  changed(session, question, { problem })

function changed(session: ChatSession, question: Question, changes: Partial<Question>): true {
  session.change(question, changes)
  return true
}

/** Empties the input for the answer; the question keeps the draft that was in it. */
export function beginWriting(
  session: ChatSession,
  question: Question,
  writing: NonNullable<Question['writing']>,
  text: string,
): true {
  const { editor } = session.state
  session.set({ editor: refilled(editor, text) })
  return changed(session, question, { writing, draft: editor, help: false, problem: undefined })
}

/** The command or the text that is edited, or all arguments as JSON. */
export function editedText({ args, argument }: Question): string {
  const given = (args ?? {}) as Readonly<Record<string, unknown>>
  return argument === undefined ? JSON.stringify(given) : String(given[argument])
}

function writeAnswer(session: ChatSession, question: Question, key: KeyPress): true {
  const { editor } = session.state
  const next = applyKey(editor, key)
  if (key.name === 'escape' && next === editor) {
    session.set({ editor: question.draft ?? editorWith('') })
    session.change(question, { writing: undefined, problem: undefined })
  } else if (key.name !== 'enter') {
    session.set({ editor: next })
    if (question.problem !== undefined) session.change(question, { problem: undefined })
  } else {
    const answer = readWritten(question, editor)
    if (typeof answer === 'string') session.change(question, { problem: answer })
    else session.answer(question, answer)
  }
  return true
}

/** The answer that was written, or what is wrong with it. */
function readWritten({ writing, args, argument, delegates = [] }: Question, editor: Editor): object | string {
  const text = unfoldPastes(editor)
  if (writing === 'delegate') return readDelegate(delegates, text.trim())
  if (writing === 'reason') return { decision: 'deny', scope: 'once', ...(text.trim() ? { reason: text.trim() } : {}) }
  try {
    const given = argument === undefined ? (JSON.parse(text) as unknown) : { ...(args as object), [argument]: text }
    return { decision: 'allow', scope: 'once', args: given }
  } catch (error) {
    return `That is not valid JSON: ${(error as Error).message}`
  }
}

function readDelegate(delegates: readonly string[], to: string): object | string {
  if (to && (delegates.includes('*') || delegates.includes(to))) return { decision: 'delegate', to }
  return delegates.includes('*') ? 'Write the name of a person.' : `It can be passed on to: ${delegates.join(', ')}.`
}

/** A request that wants more than text is answered with a JSON object: `{ … }`. */
function asObject(text: string): object | undefined {
  try {
    return text.startsWith('{') ? (JSON.parse(text) as object) : undefined
  } catch {
    return undefined
  }
}
