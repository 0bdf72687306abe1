import type { ChatSession } from '../chat-session.ts'
import type { Question } from '../transcript/question.ts'
import { type AnswerChoice, answerChoices } from './answer-choices.ts'
import { applyKey, editorWith, emptyEditor } from './editor.ts'
import type { KeyPress } from './key-reader.ts'

/** A key while a question is shown. */
export function answerKey(session: ChatSession, question: Question, key: KeyPress): void {
  if (question.writing) write(session, question, key)
  // An answer in words begins with its first letter.
  else if (question.kind === 'text') write(session, begin(session, question, 'answer', ''), key)
  else if (key.name === 'text' || key.name === 'enter') {
    const letter = key.name === 'enter' ? 'Y' : key.text
    if (question.kind === 'yes-no') yesNo(session, question, letter)
    else if (question.kind === 'outcome') outcome(session, question, letter)
    else choose(session, question, letter)
  }
}

function choose(session: ChatSession, question: Question, letter: string): void {
  const choice = answerChoices[letter]
  if (choice) give(session, question, choice)
  else if (letter === '?') session.change(question, { help: !question.help, problem: undefined })
  else if (letter === 'n') begin(session, question, 'reason', '')
  else if (letter === 'e') begin(session, question, 'args', JSON.stringify(question.args ?? {}))
  else session.change(question, { problem: 'This key means nothing here: ? shows those that do.' })
}

/** A call that no pattern describes can be allowed once only. */
function give(session: ChatSession, question: Question, choice: AnswerChoice): void {
  const possible = choice.scope === 'once' || (question.scopes ?? []).includes(choice.scope)
  if (possible) session.answer(question, choice)
  else if (choice.decision === 'deny') session.answer(question, { decision: 'deny' })
  else session.change(question, { problem: 'This call can only be allowed once: y.' })
}

function yesNo(session: ChatSession, question: Question, letter: string): void {
  const yes = letter.toLowerCase() === 'y'
  if (yes || letter.toLowerCase() === 'n') session.answer(question, { decision: yes ? 'allow' : 'deny' })
  else session.change(question, { problem: 'y or n answers this first.' })
}

const outcomes: Readonly<Record<string, string>> = { y: 'happened', n: 'not', s: 'stop' }

/**
 * Answers whether a call happened that was running when the process ended. Enter is no answer: it is pressed by
 * accident.
 */
function outcome(session: ChatSession, question: Question, letter: string): void {
  if (outcomes[letter] !== undefined) session.answer(question, { outcome: outcomes[letter] })
  else session.change(question, { problem: 'y, n or s answers this.' })
}

/** Empties the input for the answer; the question keeps the draft that was in it. */
function begin(
  session: ChatSession,
  question: Question,
  writing: NonNullable<Question['writing']>,
  text: string,
): Question {
  const begun = { writing, draft: session.state.editor }
  session.set({ editor: editorWith(text) })
  session.change(question, begun)
  return { ...question, ...begun }
}

function write(session: ChatSession, question: Question, key: KeyPress): void {
  if (key.name === 'escape') {
    session.set({ editor: question.draft ?? emptyEditor })
    session.change(question, { writing: undefined, problem: undefined })
  } else if (key.name !== 'enter') {
    session.set(state => ({ ...state, editor: applyKey(state.editor, key) }))
    if (question.problem !== undefined) session.change(question, { problem: undefined })
  } else {
    const answer = readWritten(question, session.state.editor.text.trim())
    if (typeof answer === 'string') session.change(question, { problem: answer })
    else session.answer(question, answer)
  }
}

/** The answer that was written, or what is wrong with it. */
function readWritten({ writing }: Question, text: string): object | string {
  if (writing === 'reason') return { decision: 'deny', scope: 'once', ...(text ? { reason: text } : {}) }
  if (writing === 'answer') return text ? (asObject(text) ?? { text }) : 'Write an answer first.'
  try {
    return { decision: 'allow', scope: 'once', args: JSON.parse(text) as unknown }
  } catch (error) {
    return `That is not valid JSON: ${(error as Error).message}`
  }
}

/** A request that wants more than text is answered with a JSON object: `{ … }`. */
function asObject(text: string): object | undefined {
  try {
    return text.trim().startsWith('{') ? (JSON.parse(text) as object) : undefined
  } catch {
    return undefined
  }
}
