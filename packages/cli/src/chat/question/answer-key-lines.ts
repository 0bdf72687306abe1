import { answerChoices } from '../input/answer-choices.ts'
import type { Question } from '../transcript/question.ts'

/** The keys that answer a question, in a few words; those that are of no use for this one are left out. */
export function answerKeyLines(question: Question, width: number): readonly string[] {
  const { kind, confirming, typed } = question
  if (typed && kind !== 'text') return typedKeyLines(question)
  if (kind === 'outcome') return ['y it happened: go on', 'r it did not: run it now', 's nobody knows: end the turn']
  if (kind === 'back')
    return width < 60
      ? ['Enter/c conversation', 'b both · f files · Esc no']
      : ['Enter or c only the conversation · b the conversation and the files', 'f only the files · Esc neither']
  if (kind === 'plan') return ['y carry it out · n or a text: what to change · Esc no']
  if (kind !== 'permission') return [kind === 'yes-no' ? 'y yes · n or Esc no' : 'Enter answers · Esc leaves it open']
  return confirming ? ['y grants it · Esc goes back'] : permissionKeyLines(question, width)
}

function permissionKeyLines({ scopes = [], deniable, delegates }: Question, width: number): readonly string[] {
  const no = deniable ? ['N conversation'] : []
  const pass = delegates ? ['d pass on'] : []
  const where = (scope: string, ...keys: readonly string[]) => (scopes.includes(scope) ? keys : [])
  const lines =
    width < 60
      ? [
          ['y/Enter once', ...where('conversation', 'Y here')],
          [...where('project', 'p project'), ...where('always', 'a always')],
          ['n/Esc no', ...(deniable ? ['N never here'] : [])],
          ['e edit', ...pass, '? help'],
        ]
      : [
          [
            'yes  y or Enter once',
            ...where('conversation', 'Y conversation'),
            ...where('project', 'p project'),
            ...where('always', 'a always'),
          ],
          ['no   Esc', 'n with a reason', ...no, 'e edit', ...pass, '? help'],
        ]
  return lines.map(keys => keys.join(' · ')).filter(Boolean)
}

/** What Enter means while a text is in the input, so that nobody takes it for the yes that it is in an empty one. */
function typedKeyLines({ kind, own }: Question): readonly string[] {
  const clear = 'Ctrl-U clears the line'
  if (kind === 'outcome') return [`${clear}: a key answers this`]
  if (kind === 'plan') return ['Enter no: this is to be changed', clear]
  return [own ? 'Enter no' : 'Enter no, with this as the reason', clear]
}

/** Only the keys, for a screen that has no room for more. */
export function answerKeyLetters({ kind, scopes = [], confirming, deniable, delegates, typed }: Question): string {
  if (typed && kind !== 'text') return kind === 'outcome' ? 'Ctrl-U clears the line' : 'Enter no · Ctrl-U clears'
  if (kind === 'outcome') return 'y happened · r run it · s stop'
  if (kind === 'plan') return 'y yes · n no'
  if (kind === 'back') return 'c conversation · b both · f files'
  if (kind !== 'permission') return kind === 'yes-no' ? 'y yes · n no' : 'Enter answers'
  if (confirming) return 'y grants it · Esc back'
  const allow = Object.entries(answerChoices).flatMap(([key, { decision, scope }]) =>
    decision === 'allow' && (scope === 'once' || scopes.includes(scope)) ? [key] : [],
  )
  return `${allow.join(' ')} · n${deniable ? ' N' : ''} · e${delegates ? ' d' : ''} · ? help`
}

/** The help of a permission question: a line per group of keys, without those that are of no use for this one. */
export function permissionKeyHelp(
  { scopes = [], deniable, delegates }: Pick<Question, 'scopes' | 'deniable' | 'delegates'>,
  width: number,
): readonly string[] {
  const where = (scope: string, key: string) => (scopes.includes(scope) ? [key] : [])
  const longer = [
    ...where('conversation', 'Y  yes, in this conversation'),
    ...where('project', 'p  in this project'),
    ...where('always', 'a  always'),
  ].join('   ')
  if (width < 60)
    return [
      'y  or Enter: yes, once',
      ...where('conversation', 'Y  yes, conversation'),
      ...[[...where('project', 'p  project'), ...where('always', 'a  always')].join(' · ')].filter(Boolean),
      'n  no, with a reason',
      ...(deniable ? ['N  no, conversation'] : []),
      'e  edit it first',
      ...(delegates ? ['d  pass it on'] : []),
      'Esc  no · Esc Esc  stop',
    ]
  return [
    'y  or Enter: yes, this once: exactly this call',
    ...(longer ? [`${longer}: you are shown first what that covers`] : []),
    `n  no, with a reason${deniable ? '           N  no, in this conversation' : ''}`,
    'e  edit it first (Ctrl-X Ctrl-E in your editor); Enter then runs it',
    ...(delegates ? ['d  pass it on to somebody else'] : []),
    'Esc  no                        Esc Esc  no, and stop the turn',
  ]
}
