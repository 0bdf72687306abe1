import type { Event } from 'turnbuckle'
import { visibleText } from '../../text/visible-text.ts'
import type { Question } from './question.ts'

/** The question that a request of the turn becomes. */
export function requestQuestion(event: Event & { type: 'request.opened' }): Question {
  const { requestId: id, kind, payload } = event
  const given = (payload ?? {}) as Readonly<Record<string, unknown>>
  if (kind === 'permission') {
    const asked = permission(id, given)
    return { ...asked, title: `${asked.title}${peopleOf(event)}` }
  }
  if (kind === 'continuation')
    return {
      id,
      kind: 'yes-no',
      title: 'A limit is reached',
      body:
        given.used === 'unknown'
          ? `What this has cost so far is not known; the limit is ${visibleText(given.max)}. Go on?`
          : `${visibleText(given.used)} of ${visibleText(given.max)} ${visibleText(given.limit)} are used. Go on with ${visibleText(given.more)} more?`,
    }
  if (kind === 'outcome')
    return {
      id,
      kind,
      title: `Did ${visibleText(given.name)} happen? The program was ended while it ran.`,
      body: callText(given.args),
    }
  const options = Array.isArray(given.options)
    ? given.options.map(option => `\n  · ${visibleText(option)}`).join('')
    : ''
  const question = given.question ?? given.message ?? given.text ?? payload
  return {
    id,
    kind: 'text',
    title: kind === 'clarification' ? 'A question for you' : kind,
    body: `${visibleText(question, 2)}${options}`,
  }
}

function permission(id: string, { name, args, diff, scopes, pattern }: Readonly<Record<string, unknown>>): Question {
  return {
    id,
    kind: 'permission',
    title: `May ${visibleText(name)} run?`,
    body: callText(args),
    args,
    ...(typeof diff === 'string' && diff ? { diff: visibleDiff(diff) } : {}),
    ...(Array.isArray(scopes) ? { scopes: scopes.map(String) } : {}),
    ...(typeof pattern === 'string' ? { pattern: visibleText(pattern) } : {}),
  }
}

/** The people whom the question names, and how a vote stands. */
function peopleOf({ payload, to = [], voted = [] }: Event & { type: 'request.opened' }): string {
  const { quorum } = (payload ?? {}) as { readonly quorum?: { readonly needed?: unknown } }
  const named = to.filter(person => person !== '*').join(', ')
  const vote = quorum ? ` ${String(quorum.needed)} people must say yes; so far: ${voted.join(', ') || 'none'}.` : ''
  return visibleText(`${named ? ` Asked of ${named}.` : ''}${vote}`)
}

/** The call exactly as it would run. */
function callText(args: unknown): string {
  const { command } = (args ?? {}) as { command?: unknown }
  return typeof command === 'string' ? `$ ${visibleText(command)}${rest(args)}` : visibleText(args, 2)
}

/** Tabs and line ends are what a diff is made of; nothing else in it may be hidden. */
const visibleDiff = (diff: string): string =>
  diff
    .replace(/\r\n/g, '\n')
    .split('\t')
    .map(part => visibleText(part))
    .join('  ')

/** Arguments besides the command are shown too: nothing is hidden from the person. */
function rest(args: unknown): string {
  const { command: _, ...more } = args as Readonly<Record<string, unknown>>
  return Object.keys(more).length ? `\n${visibleText(more, 2)}` : ''
}
