import { type Message, textOf } from 'turnbuckle'
import type { Item, ReplyItem } from './state.ts'

export const replyOf = (message: Message): ReplyItem => ({
  kind: 'reply',
  id: message.id,
  text: textOf(message),
  reasoning: message.content.map(part => (part.type === 'reasoning' ? part.text : '')).join(''),
  ...(message.interrupted ? { cut: 'interrupted' } : {}),
  done: true,
})

/** A recorded message as it is shown. Calls are shown with their results. */
export function itemsOf(message: Message): readonly Item[] {
  const { id, role, content } = message
  if (role === 'user') return [{ kind: 'user', id, text: textOf(message), done: true }]
  if (role === 'assistant') return [replyOf(message)]
  return content.flatMap((part): Item[] =>
    part.type === 'result'
      ? [
          {
            kind: 'tool',
            id: part.id,
            name: part.name,
            args: undefined,
            status: part.status,
            startedAt: 0,
            result: part.value,
            done: true,
          },
        ]
      : [],
  )
}

/** A path of recorded messages as items, each call with its arguments. */
export function itemsOfPath(messages: readonly Message[]): readonly Item[] {
  const args = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap(part => (part.type === 'call' ? [[part.id, part.args] as const] : [])),
    ),
  )
  return messages.flatMap(itemsOf).map(item => (item.kind === 'tool' ? { ...item, args: args.get(item.id) } : item))
}
