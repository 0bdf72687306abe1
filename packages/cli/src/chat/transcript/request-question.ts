import type { Event } from 'turnbuckle'
import { visibleDiff } from '../../text/visible-diff.ts'
import { visibleValue } from '../../text/visible-value.ts'
import { callText } from './call-text.ts'
import type { Question } from './question.ts'

type Payload = Readonly<Record<string, unknown>>

/** The question that a request of the turn becomes. */
export function requestQuestion(event: Event & { type: 'request.opened' }): Question {
  const { requestId: id, kind, payload } = event
  const given = (payload ?? {}) as Payload
  if (kind === 'permission') {
    const asked = permission(id, given)
    return { ...asked, title: `${asked.title}${peopleOf(event)}` }
  }
  if (kind === 'continuation') return { id, kind: 'yes-no', title: 'A limit is reached', body: limitText(given) }
  if (kind === 'plan')
    return { id, kind, title: 'Carry out this plan?', body: visibleValue(given.plan).replaceAll('\\u0009', '  ') }
  if (kind === 'outcome')
    return {
      id,
      kind,
      title: `Did ${visibleValue(given.name)} happen? The program was ended while it ran.`,
      body: callText(given.name, given.args, undefined),
    }
  if (kind === 'elicitation') return elicitation(id, given)
  const options = Array.isArray(given.options)
    ? given.options.map(option => `\n  · ${visibleValue(option)}`).join('')
    : ''
  const question = given.question ?? given.message ?? given.text ?? payload
  return {
    id,
    kind: 'text',
    title: kind === 'clarification' ? 'A question for you' : kind,
    body: `${visibleValue(question, 2)}${options}`,
  }
}

/** A question of an MCP server: a form. One field of text is answered in words, several as JSON, none with any key. */
function elicitation(id: string, { question, schema }: Payload): Question {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly type?: unknown; readonly description?: unknown }>>
    readonly required?: readonly string[]
  }
  const fields = Object.entries(properties)
  const lines = fields.map(([name, { type, description = '' }]) => {
    const need = required.includes(name) ? '' : ', may be left out'
    return `\n  · ${visibleValue(name)} (${visibleValue(type ?? 'choice')}${need}) ${visibleValue(description)}`.trimEnd()
  })
  const [only] = fields
  const isText = fields.length === 1 && only?.[1].type === 'string'
  const how = !fields.length
    ? '\nWrite anything to accept; Esc leaves it.'
    : isText
      ? ''
      : '\nAnswer as JSON: { "field": value }'
  return {
    id,
    kind: 'text',
    title: 'A server asks',
    body: `${visibleValue(question, 2)}${lines.join('')}${how}`,
    field: isText ? (only?.[0] ?? '') : '',
  }
}

const limitText = ({ used, max, limit, more }: Payload): string =>
  used === 'unknown'
    ? `What this has cost so far is not known; the limit is ${visibleValue(max)}. Go on?`
    : `${visibleValue(used)} of ${visibleValue(max)} ${visibleValue(limit)} are used. Go on with ${visibleValue(more)} more?`

function permission(id: string, payload: Payload): Question {
  const { name, args, diff, scopes, pattern, patterns, covers, denies, delegates } = payload
  const shown = typeof diff === 'string' && diff ? visibleDiff(diff) : undefined
  const words = Array.isArray(patterns) && Array.isArray(covers) ? covers[patterns.indexOf(pattern)] : undefined
  return {
    id,
    kind: 'permission',
    title: `May ${visibleValue(name)} run?`,
    body: callText(name, args, shown),
    args,
    ...(shown === undefined ? {} : { diff: shown }),
    ...(Array.isArray(scopes) ? { scopes: scopes.map(String) } : {}),
    ...(typeof pattern === 'string' ? { pattern: visibleValue(words ?? pattern) } : {}),
    ...(denies === undefined ? {} : { deniable: true }),
    ...(Array.isArray(delegates) ? { delegates: delegates.map(String) } : {}),
    ...editedArgument(args),
  }
}

/** The people whom the question names, how a vote stands, and who is asked when nobody answers. */
function peopleOf({ payload, to = [], voted = [], deadline }: Event & { type: 'request.opened' }): string {
  const { quorum, from, next } = (payload ?? {}) as {
    readonly quorum?: { readonly needed?: unknown }
    readonly from?: unknown
    readonly next?: unknown
  }
  const named = to.filter(person => person !== '*').join(', ')
  const vote = quorum ? ` ${String(quorum.needed)} people must say yes; so far: ${voted.join(', ') || 'none'}.` : ''
  const passed = from === undefined ? '' : ` Passed on by ${String(from)}.`
  const then =
    next === undefined || deadline === undefined
      ? ''
      : ` If nobody answers by ${new Date(deadline).toLocaleString()}, ${String(next)} is asked.`
  return visibleValue(`${named ? ` Asked of ${named}.` : ''}${passed}${vote}${then}`)
}

/** The argument that is worth editing by itself: the command, or the text to write. */
function editedArgument(args: unknown): Pick<Question, 'argument'> {
  const given = (args ?? {}) as Payload
  const argument = ['command', 'content', 'new'].find(key => typeof given[key] === 'string')
  return argument === undefined ? {} : { argument }
}
