import type { Message, ResultPart } from 'turnbuckle'

/** The results of all calls, in order. */
export const resultsOf = (messages: readonly Pick<Message, 'content'>[]): ResultPart[] =>
  messages.flatMap(({ content }) => content.filter(part => part.type === 'result'))
