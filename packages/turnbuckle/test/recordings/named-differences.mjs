/** The differences that are meant, each with its reason. `level` makes of both sides what they have in common. */
export const namedDifferences = [
  {
    name: 'a reply that failed: what was shown of it is kept here and marked, `streamText` has no step for it',
    level: side => (side.failed ? { ...side, replies: [] } : side),
  },
  {
    name: 'a call that tells no usage has none here, and zeros there',
    level: ({ replies, ...rest }) => ({
      ...rest,
      replies: replies.map(reply =>
        reply.usage?.inputTokens || reply.usage?.outputTokens ? reply : { ...reply, usage: {} },
      ),
    }),
  },
  {
    name: '`anthropic.message_start` repeats the id, the model and the first usage of the response, which are told as such; as a part it would come first in every reply of Claude, and the provider leaves it out of the next request',
    recordings: /^anthropic\//,
    level: withParts(parts => parts.filter(({ kind }) => kind !== 'anthropic.message_start')),
  },
  {
    name: 'an empty reply is no message here: two turns of the user follow each other, and Anthropic gets them as one',
    recordings: /anthropic-refusal$/,
    level: ({ replies, bodies, ...rest }) => ({
      ...rest,
      replies: replies.filter(({ parts }) => parts.length),
      bodies: bodies.map(body => ({ ...body, messages: joinedMessages(body.messages) })),
    }),
  },
  {
    name: 'text that goes on in another block is one part, where neither block has data of its own: people read one paragraph',
    level: side => {
      const { bodies, ...rest } = withParts(joinedTexts)(side)
      return { ...rest, bodies: bodies.map(inLists(joinedTexts)) }
    },
  },
  {
    name: 'blank text is not sent to Anthropic, which refuses it',
    recordings: /^anthropic\//,
    level: ({ bodies, ...rest }) => ({
      ...rest,
      bodies: bodies.map(inLists(list => list.filter(({ type, text }) => type !== 'text' || text.trim()))),
    }),
  },
  {
    name: 'a preliminary result is replaced by the final one; `streamText` keeps both, and sends the item twice',
    recordings: /image-generation/,
    level: side => {
      const { bodies, ...rest } = withParts(once)(side)
      return { ...rest, bodies: bodies.map(inLists(once)) }
    },
  },
  {
    name: "arguments of a provider's own call stay as the provider told them; `streamText` drops what its schema of the tool lacks",
    recordings: /google-search|xai-(web|x)-search/,
    level: side => {
      const { bodies, ...rest } = withParts(parts =>
        parts.map(part => (part.byProvider ? { ...part, args: {} } : part)),
      )(side)
      const withoutArguments = list => list.map(item => (/_call$/.test(item.type) ? { ...item, arguments: {} } : item))
      return { ...rest, bodies: bodies.map(inLists(withoutArguments)) }
    },
  },
  {
    name: 'data that came with the beginning of a block and with its end is joined; `streamText` keeps only the last',
    recordings: /^openai\/responses\.(github-copilot-id-rotation|openai-reasoning-encrypted-content)/,
    level: withParts(parts =>
      parts.map(part => {
        const { reasoningEncryptedContent: _content, ...openai } = part.meta?.openai ?? {}
        return part.type === 'reasoning' ? { ...part, meta: { openai } } : part
      }),
    ),
  },
  {
    name: 'a freeform tool is called with an object here, `{ input }`: a bare text would look like JSON that was cut',
    recordings: /custom-tool/,
    level: withParts(parts =>
      parts.map(part => (part.type === 'call' && part.args.input ? { ...part, args: part.args.input } : part)),
    ),
  },
]

function withParts(change) {
  return ({ replies, ...rest }) => ({
    ...rest,
    replies: replies.map(({ parts, ...reply }) => ({ ...reply, parts: change(parts) })),
  })
}

/** Changes every list of objects inside a request. */
function inLists(change) {
  const visit = value => {
    if (Array.isArray(value)) {
      const list = value.map(visit)
      return list.every(item => typeof item === 'object' && item !== null) ? change(list) : list
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, visit(member)]))
  }
  return visit
}

const isBareText = item =>
  typeof item.text === 'string' && Object.keys(item).every(key => key === 'text' || key === 'type')

/** Bare texts that follow each other, sources between them, as one. */
function joinedTexts(list) {
  const joined = []
  let open
  for (const item of list) {
    if (open && isBareText(item) && item.type === open.type) {
      open.text += item.text
      continue
    }
    const copy = { ...item }
    joined.push(copy)
    if (isBareText(item)) open = copy
    else if (item.type !== 'source') open = undefined
  }
  return joined
}

/** Users' messages that follow each other as one. */
function joinedMessages(messages) {
  const joined = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last?.role !== 'user' || message.role !== 'user') joined.push(message)
    else joined[joined.length - 1] = { ...last, content: [...last.content, ...message.content] }
  }
  return joined
}

/** Without repetitions of what was just there. */
const once = list => list.filter((item, i) => i === 0 || JSON.stringify(item) !== JSON.stringify(list[i - 1]))
