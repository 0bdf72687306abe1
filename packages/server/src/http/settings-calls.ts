import { z } from 'zod'
import type { Call } from './call.ts'
import {
  mcpServer,
  providerTrial,
  settings,
  settingsChange,
  tool,
  trustedContent,
  trustItem,
} from './settings-schemas.ts'

/** Codes of a model that cannot be used here. */
export const modelErrors = 'model.unknown, model.key, model.endpoint, model.package'

/** The calls about settings, tools, MCP servers and trust. */
export const settingsCalls = {
  listTools: {
    method: 'get',
    path: '/api/tools',
    act: 'seeTools',
    summary: 'The tools, with the schemas of their arguments and what the rules say of them',
    status: 200,
    answer: z.object({ tools: z.array(tool) }),
  },
  listMcpServers: {
    method: 'get',
    path: '/api/mcp',
    act: 'seeTools',
    summary: 'The MCP servers: state, trust and tools. Their commands are told to owners',
    status: 200,
    answer: z.object({ servers: z.array(mcpServer) }),
  },
  readSettings: {
    method: 'get',
    path: '/api/settings',
    act: 'changeSettings',
    summary: 'The settings in force and where each comes from. Of keys only whether they are set',
    status: 200,
    answer: settings,
    errors: { 404: 'settings.missing' },
  },
  changeSettings: {
    method: 'patch',
    path: '/api/settings',
    act: 'changeSettings',
    summary: 'Change the user’s file; null takes a setting out of it. In force from the next model call on',
    body: settingsChange,
    status: 200,
    answer: settings,
    errors: { 404: 'settings.missing', 409: 'setting.fixed', 422: `setting.invalid, ${modelErrors}` },
  },
  testProvider: {
    method: 'post',
    path: '/api/providers/:name/test',
    act: 'changeSettings',
    summary: 'Ask a model of a provider one thing, to see whether key and address work',
    body: providerTrial,
    status: 200,
    answer: z.object({ works: z.boolean(), model: z.string().optional(), problem: z.string().optional() }),
    errors: { 404: 'settings.missing, provider.missing', 409: 'setting.fixed', 422: 'setting.invalid' },
  },
  listUntrusted: {
    method: 'get',
    path: '/api/trust',
    act: 'changeSettings',
    summary: 'Parts of the project that wait for trust, with their text and the text that was trusted last',
    status: 200,
    answer: z.object({ items: z.array(trustItem) }),
  },
  trust: {
    method: 'post',
    path: '/api/trust',
    act: 'changeSettings',
    summary: 'Trust exactly the content with that hash',
    body: trustedContent,
    status: 204,
    errors: { 404: 'settings.missing, trust.missing', 409: 'trust.changed', 422: 'setting.invalid' },
  },
} as const satisfies Readonly<Record<string, Call>>
