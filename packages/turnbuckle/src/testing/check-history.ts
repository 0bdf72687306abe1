import { type Call, callsOf, type Message, type ResultPart } from '../core/base/message.ts'

/**
 * The problems for which a strict provider would reject this history, in words; empty when it is valid. Every call is answered
 * exactly once, in order, right after the message that made it; nothing is answered that was not called; ids are
 * unique; no message is empty.
 */
export function checkHistory(messages: readonly Message[]): string[] {
  const problems = [
    ...repeated(messages).map(id => `two messages have the id "${id}"`),
    ...repeated(messages.flatMap(({ content }) => content.filter(part => part.type === 'call'))).map(
      id => `two calls have the id "${id}"`,
    ),
  ]
  let open: Call[] = []
  const unanswered = () => open.splice(0).map(({ id }) => `the call "${id}" has no result`)
  for (const message of messages) {
    problems.push(...malformed(message))
    if (message.role === 'tool') {
      for (const part of resultsOf(message)) problems.push(...answers(part, open.shift()))
      continue
    }
    problems.push(...unanswered())
    if (message.role === 'assistant') open = callsOf(message)
  }
  return [...problems, ...unanswered()]
}

function repeated(list: readonly { readonly id: string }[]): string[] {
  const seen = new Set<string>()
  return list.map(({ id }) => id).filter(id => seen.has(id) || !seen.add(id))
}

const resultsOf = (message: Message): ResultPart[] =>
  message.content.filter((part): part is ResultPart => part.type === 'result')

/** The problems of a message by itself. */
function malformed({ id, role, content }: Message): string[] {
  const problems: string[] = []
  if (!id) problems.push(`a message of the ${role} has no id`)
  if (!['system', 'user', 'assistant', 'tool'].includes(role)) problems.push(`"${id}" has the unknown role "${role}"`)
  if (!content.length) problems.push(`"${id}" is empty`)
  for (const part of content) {
    if (role === 'tool' && part.type !== 'result') problems.push(`"${id}" is a tool's, but has a part ${part.type}`)
    if (role !== 'assistant' && part.type === 'call') problems.push(`"${id}" makes a call, but is the ${role}'s`)
    if (part.type === 'text' && part.text === '') problems.push(`"${id}" has an empty text`)
  }
  return problems
}

function answers(part: ResultPart, call: Call | undefined): string[] {
  if (!call) return [`the result of "${part.id}" answers no call`]
  if (part.id !== call.id) return [`the result of "${part.id}" stands where that of "${call.id}" belongs`]
  return part.name === call.name ? [] : [`the result of "${part.id}" is of ${part.name}, the call was of ${call.name}`]
}
