import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAlibaba } from '@ai-sdk/alibaba'
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createAzure } from '@ai-sdk/azure'
import { createCohere } from '@ai-sdk/cohere'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createGoogle } from '@ai-sdk/google'
import { createGroq } from '@ai-sdk/groq'
import { createMistral } from '@ai-sdk/mistral'
import { createMoonshotAI } from '@ai-sdk/moonshotai'
import { createOpenResponses } from '@ai-sdk/open-responses'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createPerplexity } from '@ai-sdk/perplexity'
import { createXai } from '@ai-sdk/xai'
import { createXai as createXaiChat } from 'xai-chat'

const apiKey = 'none'
const responses = name => name.startsWith('responses.')

/** By folder: the protocol of a recording's lines, and the model that reads them. */
const makers = {
  alibaba: { model: fetch => createAlibaba({ apiKey, fetch })('qwen3-max') },
  'amazon-bedrock': {
    protocol: () => 'bedrock',
    model: fetch =>
      createAmazonBedrock({ apiKey, region: 'us-east-1', fetch })('anthropic.claude-3-5-sonnet-20241022-v2:0'),
  },
  anthropic: {
    protocol: () => 'anthropic',
    model: fetch => createAnthropic({ apiKey, fetch })('claude-sonnet-4-5'),
  },
  azure: {
    protocol: name => (name.includes('deepseek') ? 'chat' : 'responses'),
    model: (fetch, name) => {
      const azure = createAzure({ apiKey, resourceName: 'none', fetch })
      return name.includes('deepseek') ? azure.deepseek('deepseek-r1') : azure.responses('gpt-5')
    },
  },
  cohere: { protocol: () => 'cohere', model: fetch => createCohere({ apiKey, fetch })('command-a-03-2025') },
  deepseek: { model: fetch => createDeepSeek({ apiKey, fetch })('deepseek-reasoner') },
  google: {
    protocol: name => (name.startsWith('interactions.') ? 'interactions' : 'google'),
    model: (fetch, name) => {
      const google = createGoogle({ apiKey, fetch })
      return name.startsWith('interactions.') ? google.interactions('gemini-3-flash') : google('gemini-3-pro-preview')
    },
  },
  groq: { model: fetch => createGroq({ apiKey, fetch })('qwen/qwen3-32b') },
  mistral: { model: fetch => createMistral({ apiKey, fetch })('mistral-large-latest') },
  moonshotai: { model: fetch => createMoonshotAI({ apiKey, fetch })('kimi-k2') },
  'open-responses': {
    protocol: () => 'responses',
    model: fetch => createOpenResponses({ name: 'lmstudio', url: 'http://127.0.0.1/v1/responses', fetch })('gpt-oss'),
  },
  openai: {
    protocol: name => (responses(name) ? 'responses' : name.startsWith('completion.') ? 'completion' : 'chat'),
    model: (fetch, name) => {
      const openai = createOpenAI({ apiKey, fetch })
      if (responses(name)) return openai.responses('gpt-5')
      return name.startsWith('completion.') ? openai.completion('gpt-3.5-turbo-instruct') : openai.chat('gpt-4o')
    },
  },
  'openai-compatible': {
    model: fetch =>
      createOpenAICompatible({ name: 'xai', baseURL: 'http://127.0.0.1/v1', includeUsage: true, fetch })('grok-3'),
  },
  perplexity: { model: fetch => createPerplexity({ apiKey, fetch })('sonar') },
  xai: {
    protocol: name => (responses(name) ? 'responses' : 'chat'),
    model: (fetch, name) => {
      if (responses(name)) return createXai({ apiKey, fetch }).responses('grok-4-fast')
      // Version 5 has no chat completions any more.
      return createXaiChat({ apiKey, fetch }).chat('grok-3-mini')
    },
  },
}

/** Streams of realtime sessions: no language model of the specification reads them. */
const isRealtime = name => name.startsWith('speech-translation.')

/** Recordings that are one conversation: after the file, the replies of those that follow it. */
const sequels = {
  'google/interactions.multi-turn-stateful-turn1': ['interactions.multi-turn-stateful-turn2'],
  'google/interactions.multi-turn-stateless-turn1': ['interactions.multi-turn-stateless-turn2'],
  'google/interactions.tool-call-step1': ['interactions.tool-call-step2'],
  'openai/responses.openai-client-tool-search.1': ['responses.openai-client-tool-search.2'],
  'openai/responses.openai-mcp-tool-approval.1': ['responses.openai-mcp-tool-approval.2'],
  'openai/responses.openai-mcp-tool-approval.3': ['responses.openai-mcp-tool-approval.4'],
  'openai/responses.programmatic-tool-calling.1': [
    'responses.programmatic-tool-calling.2',
    'responses.programmatic-tool-calling.3',
  ],
}

/**
 * The recordings of a folder, each with the replies in it (several requests may be in one file) and the model that reads them.
 * @returns {{ name: string, vendor: string, protocol: string, replies: string[][], model: (fetch: typeof globalThis.fetch) => object }[]}
 */
export function readRecordings(folder) {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`)
  const vendors = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return vendors.flatMap(({ name }) => readVendor(join(folder, name), name))
}

function readVendor(folder, vendor) {
  const maker = makers[vendor]
  if (!maker) throw new Error(`No provider package for the recordings in ${vendor}: add it to recorded-models.mjs.`)
  const read = name =>
    repliesIn(
      readFileSync(join(folder, `${name}.chunks.txt`), 'utf8')
        .split('\n')
        .filter(Boolean),
    )
  const names = readdirSync(folder).map(file => file.replace(/\.chunks\.txt$/, ''))
  return names.map(name => ({
    name: `${vendor}/${name}`,
    vendor,
    realtime: isRealtime(name),
    protocol: maker.protocol?.(name) ?? 'chat',
    replies: [name, ...(sequels[`${vendor}/${name}`] ?? [])].flatMap(read),
    model: fetch => maker.model(fetch, name),
  }))
}

/** The lines, cut where one reply has ended and the next begins. A line may be damaged on purpose. */
function repliesIn(lines) {
  const replies = []
  let ended = true
  for (const line of lines) {
    if (ended) replies.push([])
    replies.at(-1)?.push(line)
    ended = /^\{"type":\s*"(message_stop|response\.(completed|incomplete))"/.test(line)
  }
  return replies
}
