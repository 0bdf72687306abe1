import { type Call, callsOf, type Message, type Part, type ResultPart, resultMessage } from '../base/message.ts'
import { answersFirst, notRunHere } from './call-pairing.ts'
import { freeId } from './free-id.ts'

/**
 * Makes a given history one that holds: ids are unique, every call is answered once, in order, right after it; results
 * of nothing and empty messages are left out. What is right already stays as it is.
 */
export function repairHistory(messages: readonly Message[]): Message[] {
  const taken = { messages: new Set<string>(), calls: new Set<string>() }
  const repaired: Message[] = []
  const given = messages.filter(({ content }) => content.length)
  for (let i = 0; i < given.length; i++) {
    const message = unique(given[i] as Message, taken.messages)
    if (message.role === 'tool') continue
    let end = i + 1
    while (given[end]?.role === 'tool') end++
    const results = given.slice(i + 1, end)
    repaired.push(...(message.role === 'assistant' ? answered(message, results, taken) : [message]))
    i = end - 1
  }
  return repaired
}

interface Taken {
  readonly messages: Set<string>
  readonly calls: Set<string>
}

function unique(message: Message, taken: Set<string>): Message {
  const id = free(message.id, taken)
  return id === message.id ? message : { ...message, id }
}

function free(wanted: string, taken: Set<string>): string {
  const id = freeId(wanted, other => taken.has(other))
  taken.add(id)
  return id
}

/** A message with its results, one for each call in call order. */
function answered(message: Message, after: readonly Message[], taken: Taken): Message[] {
  const calls: { readonly given: Call; readonly made: Call }[] = []
  const content = message.content.map((part): Part => {
    if (part.type !== 'call') return part
    const id = free(part.id, taken.calls)
    const made = id === part.id ? part : { ...part, id }
    calls.push({ given: part, made })
    return made
  })
  const asked = calls.some(({ given, made }) => given !== made) ? { ...message, content } : message
  const open = calls.filter(({ made }) => callsOf(asked).includes(made))
  const left = after.flatMap(({ content, id }) => content.map(part => ({ part, id })))
  const found = open.map(({ given, made }) => ({ made, result: take(left, given) }))
  const made = open.map(call => call.made)
  if (asked === message && fits(after, made) && found.every(({ result }) => result))
    return [message, ...after.map(each => unique(each, taken.messages))]
  return [asked, ...found.map(({ made, result }) => unique(rewritten(message, made, result), taken.messages))]
}

interface Found {
  readonly part: Part
  readonly id: string
}

function take(left: Found[], { id }: Call): Found | undefined {
  const at = left.findIndex(({ part }) => part.type === 'result' && part.id === id)
  return at < 0 ? undefined : left.splice(at, 1)[0]
}

const rewritten = (message: Message, call: Call, found: Found | undefined): Message =>
  found
    ? resultMessage(found.id, call, found.part as ResultPart)
    : resultMessage(`${message.id}.${call.id}`, call, notRunHere)

/** True where the messages after a reply are exactly the results of its calls, in call order. */
function fits(after: readonly Message[], calls: readonly Call[]): boolean {
  let open = calls
  for (const message of after) {
    if (!answersFirst(open, message)) return false
    open = open.slice(message.content.length)
  }
  return !open.length
}
