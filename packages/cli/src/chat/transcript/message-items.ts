import { type Message, type ResultPart, textOf } from 'turnbuckle'
import { oneLine } from '../../text/one-line.ts'
import { ownWords, toldBesides } from '../../text/own-words.ts'
import type { CutMark, ReplyItem, TranscriptItem } from './transcript-item.ts'

/** What the log of recorded turns says beside their messages. */
export interface RecordedFacts {
  /** Who has let calls run, by `resultKey`. */
  readonly answers: ReadonlyMap<string, string>
  /** How replies ended that are not whole, by the id of their message. */
  readonly cuts: ReadonlyMap<string, CutMark>
}

export const replyItem = (message: Message, cut: CutMark = 'cut off'): ReplyItem => ({
  kind: 'reply',
  id: message.id,
  text: textOf(message),
  reasoning: message.content.map(part => (part.type === 'reasoning' ? part.text : '')).join(''),
  ...(message.interrupted ? { cut } : {}),
  done: true,
})

/** Names the result of a call across turns. */
export const resultKey = ({ id }: Message, part: Pick<ResultPart, 'id'>): string => `${id}/${part.id}`

const nothing: RecordedFacts = { answers: new Map(), cuts: new Map() }

/** A recorded message as it is shown. Calls are shown with their results. */
export function messageItems(message: Message, facts = nothing): readonly TranscriptItem[] {
  const { id, role, content } = message
  if (role === 'user') return [{ kind: 'user', id, text: userText(message), done: true }]
  if (role === 'assistant') return [replyItem(message, facts.cuts.get(id))]
  return content.flatMap((part): TranscriptItem[] =>
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
            ...answeredBy(facts.answers.get(resultKey(message, part))),
            done: true,
          },
        ]
      : [],
  )
}

const answeredBy = (answered: string | undefined): { readonly answered?: string } =>
  answered === undefined ? {} : { answered }

/** The words of a message, what the model was told with them in a line each, and the names of the files that go with it. */
const userText = (message: Message): string =>
  [
    ownWords(message),
    ...toldBesides(message).map(text => `⎘ ${oneLine(text, 80)}`),
    ...message.content.flatMap(part => (part.type === 'file' ? [`⎘ ${part.name ?? part.mediaType}`] : [])),
  ].join('\n')

/** A path of recorded messages as items, each call with its arguments. */
export function pathItems(messages: readonly Message[], facts = nothing): readonly TranscriptItem[] {
  const args = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap(part => (part.type === 'call' ? [[part.id, part.args] as const] : [])),
    ),
  )
  return messages
    .flatMap(message => messageItems(message, facts))
    .map(item => (item.kind === 'tool' ? { ...item, args: args.get(item.id) } : item))
}
