// The agent that the conformance suite's server scenarios call: its tools, prompts and resources have the names that the suite expects.
import { createAgent, type Middleware, middleware, offline, type Part, type Tool, tool } from 'turnbuckle'
import type { McpHandlerOptions, ServedPrompt, ServedResource } from 'turnbuckle/mcp'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const file = (mediaType: string, data: string, name?: string): Part => ({
  type: 'file',
  mediaType,
  data,
  ...(name === undefined ? {} : { name }),
})
const text = (content: string): string => btoa(content)

const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const asks = (name: string, schema: object = { type: 'object', properties: {} }): Tool =>
  tool({ name, description: 'Asks the person at the client.', schema, run: () => 'nobody asked' })
const field = (name: string): object => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
})

const tools: readonly Tool[] = [
  tool({
    name: 'test_simple_text',
    description: 'A tool of the suite.',
    run: () => 'This is a simple text response for testing.',
  }),
  tool({ name: 'test_image_content', description: 'A tool of the suite.', run: () => file('image/png', png) }),
  tool({ name: 'test_audio_content', description: 'A tool of the suite.', run: () => file('audio/wav', wav) }),
  tool({
    name: 'test_embedded_resource',
    description: 'A tool of the suite.',
    run: () => file('text/plain', text('This is an embedded resource content.'), 'test://embedded-resource'),
  }),
  tool({
    name: 'test_multiple_content_types',
    description: 'A tool of the suite.',
    run: () => [
      'Multiple content types test:',
      file('image/png', png),
      file('application/json', text('{"test":"data","value":123}'), 'test://mixed-content-resource'),
    ],
  }),
  tool({
    name: 'test_tool_with_logging',
    description: 'A tool of the suite.',
    run(_args, { emit }) {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
        emit({ type: 'mcp.log', level: 'info', data })
      return 'Logged.'
    },
  }),
  tool({
    name: 'test_error_handling',
    description: 'A tool of the suite.',
    run() {
      throw new Error('This tool intentionally returns an error for testing')
    },
  }),
  tool({
    name: 'test_tool_with_progress',
    description: 'A tool of the suite.',
    run(_args, { emit }) {
      for (const progress of [0, 50, 100]) emit({ type: 'tool.progress', progress, total: 100 })
      return 'Done.'
    },
  }),
  tool({ name: 'json_schema_2020_12_tool', description: 'A tool of the suite.', schema: schema2020, run: () => 'ok' }),
  tool({
    name: 'test_custom_header_tool',
    description: 'A tool of the suite.',
    schema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    run: () => 'ok',
  }),
  asks('test_sampling', { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] }),
  asks('test_elicitation', { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] }),
  asks('test_elicitation_sep1034_defaults'),
  asks('test_elicitation_sep1330_enums'),
  asks('test_input_required_result_elicitation'),
  asks('test_input_required_result_sampling'),
  asks('test_input_required_result_list_roots'),
  asks('test_input_required_result_request_state'),
  asks('test_input_required_result_multiple_inputs'),
  asks('test_input_required_result_multi_round'),
  asks('test_input_required_result_tampered_state'),
  asks('test_input_required_result_capabilities'),
  asks('test_missing_capability'),
]

const sampling = (key: string, prompt: unknown, maxTokens = 100) => ({
  key,
  messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
  maxTokens,
})
const titled = (names: readonly string[]) => names.map((title, index) => ({ const: `value${index + 1}`, title }))
const three = ['option1', 'option2', 'option3']

const forms: Readonly<Record<string, { readonly message: string; readonly schema: object }>> = {
  test_elicitation_sep1034_defaults: {
    message: 'Please review the defaults',
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
    },
  },
  test_elicitation_sep1330_enums: {
    message: 'Please choose',
    schema: {
      type: 'object',
      properties: {
        untitledSingle: { type: 'string', enum: three },
        titledSingle: { type: 'string', oneOf: titled(['First Option', 'Second Option', 'Third Option']) },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: three } },
        titledMulti: { type: 'array', items: { anyOf: titled(['First Choice', 'Second Choice', 'Third Choice']) } },
      },
    },
  },
}

/** What a tool of an agent cannot do by itself, a hook around it does: it asks. */
const asking: Middleware = middleware({
  name: 'asking',
  async wrapTool(ctx, next) {
    const { name } = ctx.call
    const args = (ctx.call.args ?? {}) as Readonly<Record<string, unknown>>
    const elicit = (key: string, message: string, schema: object) =>
      ctx.ask('elicitation', { key, message, schema }, { fallback: { refused: true } })
    const sample = async (key: string, prompt: unknown, maxTokens?: number) => {
      const reply = await ctx.ask<{ content: { text: string } }>('sampling', sampling(key, prompt, maxTokens))
      return reply.content.text
    }
    const form = forms[name]
    if (form) {
      const said = await elicit(name, form.message, form.schema)
      return `Elicitation completed: action=${said.refused ? 'decline' : 'accept'}, content=${JSON.stringify(said)}`
    }
    switch (name) {
      case 'test_sampling':
        return `LLM response: ${await sample('sampling', args.prompt)}`
      case 'test_elicitation': {
        const wanted = { username: { type: 'string' }, email: { type: 'string' } }
        const schema = { type: 'object', properties: wanted, required: ['username', 'email'] }
        const said = await elicit('user', String(args.message), schema)
        return `User response: action: ${said.refused ? 'decline' : 'accept'}, content: ${JSON.stringify(said)}`
      }
      case 'test_input_required_result_elicitation':
      case 'test_input_required_result_tampered_state':
        return `Hello, ${(await elicit('user_name', 'What is your name?', field('name'))).name}!`
      case 'test_input_required_result_sampling':
        return sample('capital_question', 'What is the capital of France?')
      case 'test_input_required_result_list_roots':
        return JSON.stringify(await ctx.ask('roots', { key: 'client_roots' }))
      case 'test_input_required_result_request_state': {
        const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }
        await elicit('confirm', 'Please confirm', schema)
        return 'state-ok'
      }
      case 'test_input_required_result_multiple_inputs': {
        const [who, greeting, roots] = await Promise.all([
          elicit('user_name', 'What is your name?', field('name')),
          sample('greeting', 'Generate a greeting', 50),
          ctx.ask('roots', { key: 'client_roots' }),
        ])
        return JSON.stringify({ who, greeting, roots })
      }
      case 'test_input_required_result_multi_round': {
        const { name } = await elicit('step1', 'Step 1: What is your name?', field('name'))
        const { color } = await elicit('step2', 'Step 2: What is your favorite color?', field('color'))
        return `${name} likes ${color}.`
      }
      case 'test_input_required_result_capabilities':
      case 'test_missing_capability':
        return sample('capital_question', 'What is the capital of France?')
      default:
        return next()
    }
  },
})

const prompts: readonly ServedPrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'A prompt of the suite.',
    get: () => 'This is a simple prompt for testing.',
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt of the suite.',
    arguments: [
      {
        name: 'arg1',
        required: true,
        complete: written => ['paris', 'park', 'party'].filter(it => it.startsWith(written)),
      },
      { name: 'arg2', required: true },
    ],
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt of the suite.',
    arguments: [{ name: 'resourceUri', required: true }],
    get: ({ resourceUri = '' }) => [
      {
        role: 'user',
        content: [
          file('text/plain', text('Embedded resource content for testing.'), resourceUri),
          { type: 'text', text: 'Please process the embedded resource above.' },
        ],
      },
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'A prompt of the suite.',
    get: () => [
      { role: 'user', content: [file('image/png', png), { type: 'text', text: 'Please analyze the image above.' }] },
    ],
  },
]

const resources: readonly ServedResource[] = [
  {
    uri: 'test://static-text',
    name: 'Static text',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  },
  {
    uri: 'test://static-binary',
    name: 'Static binary',
    mimeType: 'image/png',
    read: () => Uint8Array.from(atob(png), character => character.charCodeAt(0)),
  },
  { uri: 'test://watched-resource', name: 'Watched resource', mimeType: 'text/plain', read: () => 'Watched.' },
  {
    uri: 'test://template/{id}/data',
    name: 'Template',
    mimeType: 'application/json',
    read: (_uri, { id }) => ({ id, templateTest: true, data: `Data for ID: ${id}` }),
  },
]

export const servedAgent = createAgent({ name: 'conformance', model: offline(), tools, use: [asking] })
export const servedOffers: McpHandlerOptions = { prompts, resources }
