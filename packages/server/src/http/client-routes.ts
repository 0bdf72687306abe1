import { z } from 'zod'

/** Conversations have these ids where a client may choose them. */
export const chosenId = z.string().regex(/^[\w.:~-]{1,200}$/)

const part = z.looseObject({ type: z.string() })
const uiMessage = z.looseObject({ id: z.string().max(300), role: z.string(), parts: z.array(part) })
const clientTool = z.looseObject({
  description: z.string().max(20_000).nullish(),
  /** JSON Schema of the arguments, under the name that each kind of client has for it. */
  parameters: z.record(z.string(), z.unknown()).nullish(),
  inputSchema: z.record(z.string(), z.unknown()).nullish(),
})
const toolName = z.string().regex(/^[\w.:-]{1,128}$/)

/** Tools that the client runs itself: by their names, as assistant-ui sends them, or a list, as AG-UI does. */
export const sentTools = z.union([
  z.record(toolName, clientTool),
  z.array(clientTool.extend({ name: toolName })).max(200),
])

const whileItWaits = 'conversation.missing, conversation.deleted, message.missing'

/** Routes in the forms of other people's clients. `ai-sdk/` mounts them; the OpenAPI document lists them. */
export const chatRoutes = {
  chat: {
    method: 'post',
    path: '/api/chat',
    act: 'talk',
    summary: 'A turn for `useChat` of the AI SDK: a message, another answer, or decisions on calls',
    body: z.looseObject({
      id: chosenId,
      messages: z.array(uiMessage).optional(),
      message: uiMessage.optional(),
      trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
      messageId: z.string().max(300).nullish(),
      tools: sentTools.nullish(),
      system: z.string().max(100_000).nullish(),
    }),
    errors: {
      403: 'request.foreign',
      404: `${whileItWaits}, request.unknown`,
      409: 'turn.running, conversation.locked',
      422: 'request.invalid, message.empty, message.invalid',
    },
  },
  resumeChat: {
    method: 'get',
    path: '/api/chat/:id/stream',
    act: 'readConversation',
    summary: 'The turn that runs now, from its beginning, for `useChat` with `resume`; 204 where none does',
    errors: { 404: 'conversation.missing' },
    orEmpty: true,
  },
  readChat: {
    method: 'get',
    path: '/api/chat/:id',
    act: 'readConversation',
    summary: 'The path to the head as `messages` for `useChat`',
    answer: z.object({ id: z.string(), title: z.string(), messages: z.array(uiMessage) }),
    errors: { 404: 'conversation.missing' },
  },
  stopChat: {
    method: 'post',
    path: '/api/chat/:id/stop',
    act: 'talk',
    summary: 'Stop the turn that runs: a client that only leaves does not',
    answer: z.object({ stopped: z.boolean() }),
    errors: { 404: 'conversation.missing, turn.missing', 409: 'conversation.locked' },
  },
} as const

const content = z.union([z.string(), z.array(part)]).nullish()
const ownTools = z.array(z.unknown()).max(0, 'The agent has its own tools.').nullish()
const off = z.literal(false, 'It cannot be had here.').nullish()
const plainText = z.looseObject({ type: z.literal('text', 'Only text can be had here.') }).nullish()
/** Fields that both forms have. Those that are not named, the temperature say, are the agent's own business and have no effect. */
const common = {
  model: z.string().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  tools: ownTools,
}
const openAiErrors = {
  404: 'conversation.missing, conversation.deleted, turn.missing',
  409: 'turn.running, conversation.locked',
  422: 'message.empty, message.invalid',
  500: 'turn.failed',
}

/** OpenAI's forms in front of the agent. `openai/` mounts them; the OpenAPI document lists them. */
export const openAiRoutes = {
  completeChat: {
    method: 'post',
    path: '/v1/chat/completions',
    act: 'talk',
    summary: 'A turn in the form of OpenAI’s chat completions: JSON, or a stream with `stream`',
    body: z.looseObject({
      ...common,
      messages: z.array(z.looseObject({ role: z.string(), content })).min(1),
      stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
      functions: ownTools,
      n: z.literal(1, 'One answer can be had at a time.').nullish(),
      logprobs: off,
      response_format: plainText,
    }),
    errors: openAiErrors,
  },
  makeResponse: {
    method: 'post',
    path: '/v1/responses',
    act: 'talk',
    summary: 'A turn in the form of OpenAI’s responses: JSON, or a stream with `stream`',
    body: z.looseObject({
      ...common,
      input: z.union([
        z.string(),
        z.array(z.looseObject({ type: z.string().nullish(), role: z.string().nullish(), content })),
      ]),
      instructions: z.string().nullish(),
      previous_response_id: z.string().max(300).nullish(),
      conversation: z.union([chosenId, z.looseObject({ id: chosenId })]).nullish(),
      background: off,
      text: z.looseObject({ format: plainText }).nullish(),
    }),
    errors: openAiErrors,
  },
  listOpenAiModels: {
    method: 'get',
    path: '/v1/models',
    act: 'makeConversation',
    summary: 'The agent, as the one model of OpenAI’s list',
    answer: z.object({ object: z.literal('list'), data: z.array(z.looseObject({ id: z.string() })) }),
  },
} as const
