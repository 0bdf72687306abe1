import { createAnthropic } from '@ai-sdk/anthropic'
import { createAzure } from '@ai-sdk/azure'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createXai } from '@ai-sdk/xai'

const apiKey = 'none'
const anthropic = createAnthropic({ apiKey }).tools
const azure = createAzure({ apiKey, resourceName: 'none' }).tools
const google = createGoogle({ apiKey }).tools
const openai = createOpenAI({ apiKey }).tools
const xai = createXai({ apiKey }).tools

/** Tools that we run, by the provider's id: the result of every call. */
const results = {
  'openai.shell': { output: [{ stdout: 'one\n', stderr: '', outcome: { type: 'exit', exitCode: 0 } }] },
  'openai.local_shell': { output: 'one\n' },
  'openai.apply_patch': { status: 'completed', output: 'Patched.' },
  'openai.custom': 'Ran.',
  'openai.tool_search': { tools: [{ type: 'function', name: 'get_weather', description: 'Weather', parameters: {} }] },
}

/** The tools of a provider that a recording was made with, by the model's name of them. The first row that matches counts. */
const rows = [
  [/^anthropic\/anthropic-advisor/, { advisor: anthropic.advisor_20260301({ model: 'claude-opus-4-7' }) }],
  [/^anthropic\/anthropic-code-execution-20260120/, { code_execution: anthropic.codeExecution_20260120() }],
  [/^anthropic\/anthropic-programmatic/, { code_execution: anthropic.codeExecution_20250825() }],
  [/^anthropic\/.*bm25/, { tool_search_tool_bm25: anthropic.toolSearchBm25_20251119() }],
  [/^anthropic\/.*regex/, { tool_search_tool_regex: anthropic.toolSearchRegex_20251119() }],
  [/^anthropic\/anthropic-web-fetch-tool-20260209/, { web_fetch: anthropic.webFetch_20260209() }],
  [/^anthropic\/anthropic-web-fetch/, { web_fetch: anthropic.webFetch_20250910() }],
  [/^anthropic\/anthropic-web-search/, { web_search: anthropic.webSearch_20250305() }],
  [/^azure\/.*code-interpreter/, { code_interpreter: azure.codeInterpreter() }],
  [/^azure\/.*image-generation/, { image_generation: azure.imageGeneration() }],
  [/^azure\/.*web-search/, { web_search_preview: azure.webSearchPreview({}) }],
  [/^azure\/.*file-search/, { file_search: azure.fileSearch({ vectorStoreIds: ['vs_1'] }) }],
  [/^google\/interactions\.google-search/, { google_search: google.googleSearch({}) }],
  [/^openai\/.*apply-patch/, { apply_patch: openai.applyPatch({}) }],
  [/^openai\/.*client-tool-search/, { tool_search: openai.toolSearch({ execution: 'client', parameters: {} }) }],
  [/^openai\/.*tool-search/, { tool_search: openai.toolSearch() }],
  [/^openai\/.*code-interpreter/, { code_interpreter: openai.codeInterpreter() }],
  [/^openai\/.*custom-tool/, { write_sql: openai.customTool({ description: 'Writes SQL.' }) }],
  [/^openai\/.*file-search/, { file_search: openai.fileSearch({ vectorStoreIds: ['vs_1'] }) }],
  [/^openai\/.*image-generation/, { image_generation: openai.imageGeneration() }],
  [/^openai\/.*local-shell/, { local_shell: openai.localShell({}) }],
  [
    /^openai\/.*mcp-tool-approval/,
    { mcp: openai.mcp({ serverLabel: 'zip1', serverUrl: 'https://zip1.io/mcp', requireApproval: 'always' }) },
  ],
  [/^openai\/.*mcp-tool/, { mcp: openai.mcp({ serverLabel: 'dmcp', serverUrl: 'https://dmcp.example.org' }) }],
  [/^openai\/.*programmatic/, { programmatic_tool_calling: openai.programmaticToolCalling() }],
  [/^openai\/.*shell-(container|skills)/, { shell: openai.shell({ environment: { type: 'containerAuto' } }) }],
  [/^openai\/.*shell/, { shell: openai.shell({}) }],
  [/^openai\/.*web-search/, { web_search: openai.webSearch() }],
  [/^xai\/.*image-generation/, { image_generation: xai.imageGeneration() }],
  [/^xai\/.*web-search/, { web_search: xai.webSearch() }],
  [/^xai\/.*x-search/, { x_search: xai.xSearch() }],
]

const isRunByClient = ({ id, args }) =>
  id in results &&
  !(id === 'openai.tool_search' && args.execution !== 'client') &&
  !(id === 'openai.shell' && args.environment !== undefined)

/** The provider's tools of a recording: those it runs itself, and those that we run. */
export function providerTools({ name }) {
  const [, found = {}] = rows.find(([pattern]) => pattern.test(name)) ?? []
  const tools = Object.entries(found).map(([toolName, tool]) => ({
    name: toolName,
    tool,
    ...(isRunByClient(tool) ? { result: results[tool.id] } : {}),
  }))
  return { own: tools.filter(each => !('result' in each)), run: tools.filter(each => 'result' in each) }
}
