import { type AnswerChoice, answerChoices } from '../input/answer-choices.ts'
import type { Question } from '../transcript/question.ts'

/** The keys that answer a question, in a few words; those that are of no use for this one are left out. */
export function answerKeyLines({ kind, scopes = [] }: Question, width: number): readonly string[] {
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
export function answerKeyLetters({ kind, scopes = [] }: Question): string {
  if (kind === 'outcome') return 'y happened · n not · s stop'
  if (kind !== 'permission') return kind === 'yes-no' ? 'y yes · n no' : 'Enter answers'
  const of = (decision: AnswerChoice['decision']) =>
    Object.entries(answerChoices).flatMap(([key, choice]) =>
      choice.decision === decision && (choice.scope === 'once' || scopes.includes(choice.scope)) ? [key] : [],
    )
  return `${of('allow').join(' ')} · ${['n', ...of('deny')].join(' ')} · e · ? help`
}

/** The help of a permission question: a line per key. */
export const permissionKeyHelp = (width: number): readonly string[] =>
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
