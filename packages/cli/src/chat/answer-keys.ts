import { edit, editorWith, emptyEditor } from './editor.ts'
import type { Key } from './keys.ts'
import type { ChatSession } from './session.ts'
import type { Question } from './state.ts'

interface Choice {
  readonly decision: 'allow' | 'deny'
  readonly scope: string
}

const choices: Readonly<Record<string, Choice>> = {
  y: { decision: 'allow', scope: 'once' },
  Y: { decision: 'allow', scope: 'conversation' },
  p: { decision: 'allow', scope: 'project' },
  a: { decision: 'allow', scope: 'always' },
  N: { decision: 'deny', scope: 'conversation' },
}

/** The keys that answer a question, in a few words; those that are of no use for this one are left out. */
export function keyLines({ kind, scopes = [] }: Question, width: number): readonly string[] {
  if (kind === 'outcome') return ['y it happened: go on', 'n it did not: run it now', 's nobody knows: end the turn']
  if (kind !== 'permission') return [kind === 'yes-no' ? 'y yes · n no' : 'Enter answers']
  const where = (scope: string, ...keys: readonly string[]) => (scopes.includes(scope) ? keys : [])
  const lines =
    width < 60
      ? [
          ['y once', ...where('conversation', 'Y/Enter here')],
          [...where('project', 'p project'), ...where('always', 'a always')],
          ['n no', ...where('conversation', 'N never here')],
          ['e edit', '? help'],
        ]
      : [
          [
            'yes  y once',
            ...where('conversation', 'Y/Enter conversation'),
            ...where('project', 'p project'),
            ...where('always', 'a always'),
          ],
          ['no   n with a reason', ...where('conversation', 'N conversation'), 'e edit', '? help'],
        ]
  return lines.map(keys => keys.join(' · ')).filter(Boolean)
}

/** Only the keys, for a screen that has no room for more. */
export function keyLetters({ kind, scopes = [] }: Question): string {
  if (kind === 'outcome') return 'y happened · n not · s stop'
  if (kind !== 'permission') return kind === 'yes-no' ? 'y yes · n no' : 'Enter answers'
  const of = (decision: Choice['decision']) =>
    Object.entries(choices).flatMap(([key, choice]) =>
      choice.decision === decision && (choice.scope === 'once' || scopes.includes(choice.scope)) ? [key] : [],
    )
  return `${of('allow').join(' ')} · ${['n', ...of('deny')].join(' ')} · e · ? help`
}

/** What the keys of a question mean, for its help. */
export const permissionHelp = (width: number): readonly string[] =>
  width < 60
    ? [
        'y  yes, this once',
        'Y  Enter: conversation',
        'p  project · a  always',
        'n  no, with a reason',
        'N  no, conversation',
        'e  edit the arguments',
        'Esc Esc  take control',
      ]
    : [
        'y  yes, this once: exactly this call',
        'Y  or Enter: yes, in this conversation, for what the pattern covers',
        'p  yes, in this project        a  yes, always',
        'n  no, with a reason           N  no, in this conversation',
        'e  change the arguments first  Esc Esc  interrupt and take control',
      ]

/** A key while a question is shown. */
export function answerKey(session: ChatSession, question: Question, key: Key): void {
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
  const choice = choices[letter]
  if (choice) give(session, question, choice)
  else if (letter === '?') session.change(question, { help: !question.help, problem: undefined })
  else if (letter === 'n') begin(session, question, 'reason', '')
  else if (letter === 'e') begin(session, question, 'args', JSON.stringify(question.args ?? {}))
  else session.change(question, { problem: 'This key means nothing here: ? shows those that do.' })
}

/** A call that no pattern describes can be allowed once only. */
function give(session: ChatSession, question: Question, choice: Choice): void {
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

/** What a call did when the program was ended: nobody says that by accident, so Enter means nothing. */
function outcome(session: ChatSession, question: Question, letter: string): void {
  if (outcomes[letter] !== undefined) session.answer(question, { outcome: outcomes[letter] })
  else session.change(question, { problem: 'y, n or s answers this.' })
}

/** The question, with what was written before it. */
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

function write(session: ChatSession, question: Question, key: Key): void {
  if (key.name === 'escape') {
    session.set({ editor: question.draft ?? emptyEditor })
    session.change(question, { writing: undefined, problem: undefined })
  } else if (key.name !== 'enter') {
    session.set(state => ({ ...state, editor: edit(state.editor, key) }))
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

/** Who asks for more than words is answered with `{ … }`. */
function asObject(text: string): object | undefined {
  try {
    return text.trim().startsWith('{') ? (JSON.parse(text) as object) : undefined
  } catch {
    return undefined
  }
}
