/** Replies of our own making, in the bytes of their protocol. Each call of `fetch` gets the next; the bodies of the requests are kept. */
export function serveOwn(replies: readonly (readonly object[])[]): {
  readonly bodies: readonly Body[]
  readonly fetch: typeof globalThis.fetch
} {
  const bodies: Body[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    bodies.push(JSON.parse(String(init?.body)) as Body)
    const events = replies[bodies.length - 1] ?? []
    return new Response(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  return { bodies, fetch }
}

/** The members of requests that tests look at. */
interface Body {
  readonly messages: readonly { readonly role: string; readonly content: readonly Record<string, unknown>[] }[]
  readonly input: readonly Record<string, unknown>[]
  readonly tools: readonly Record<string, unknown>[]
  readonly contents: readonly { readonly role: string; readonly parts: readonly Record<string, unknown>[] }[]
}

/** A reply of Anthropic: text of a block is streamed, the rest comes with its beginning. */
export function anthropicReply(blocks: readonly object[], stop = 'end_turn'): object[] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage }
  return [
    { type: 'message_start', message },
    ...blocks.flatMap((block, index) => anthropicBlock(block as { text?: string; input?: object }, index)),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ]
}
const usage = { input_tokens: 3, output_tokens: 1 }

function anthropicBlock({ text, input, ...block }: { text?: string; input?: object }, index: number): object[] {
  const empty = { ...(text === undefined ? {} : { text: '' }), ...(input ? { input: {} } : {}) }
  const deltas = [
    ...(text === undefined ? [] : [{ type: 'text_delta', text }]),
    ...(input ? [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }] : []),
  ]
  return [
    { type: 'content_block_start', index, content_block: { ...block, ...empty } },
    ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

/** A reply of OpenAI's Responses, from whole items. `annotation` is told in the middle of a message's text. */
export function openaiReply(items: readonly (OpenAiItem & object)[]): object[] {
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [] }
  return [
    { type: 'response.created', response },
    ...items.flatMap((item, index) => openaiItem(item, index)),
    {
      type: 'response.completed',
      response: { ...response, status: 'completed', usage: { ...usage, output_tokens: 2, total_tokens: 5 } },
    },
  ]
}

interface OpenAiItem {
  readonly id: string
  readonly type: string
  readonly texts?: readonly string[]
  readonly annotation?: object
}

function openaiItem({ texts, annotation, ...item }: OpenAiItem, output_index: number): object[] {
  const begun = texts ? { ...item, role: 'assistant', content: [] } : item
  const content = [{ type: 'output_text', text: texts?.join(''), annotations: annotation ? [annotation] : [] }]
  const delta = (text: string) => ({
    type: 'response.output_text.delta',
    item_id: item.id,
    output_index,
    content_index: 0,
    delta: text,
  })
  const [first, ...rest] = texts ?? []
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...(first === undefined ? [] : [delta(first)]),
    ...(annotation ? [{ type: 'response.output_text.annotation.added', output_index, annotation }] : []),
    ...rest.map(delta),
    { type: 'response.output_item.done', output_index, item: texts ? { ...begun, content } : item },
  ]
}
