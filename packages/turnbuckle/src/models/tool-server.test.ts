import { expect, test } from 'vitest'
import { ToolServer, type ToolTransport } from './tool-server.ts'

const look = { name: 'look', description: 'Looks.', schema: { type: 'object' } }

/** Asks a server of tools as a program at the other end of its pipe does. */
async function ask(server: ToolServer, method: string, params: object = {}): Promise<Record<string, unknown>> {
  let answer: (message: Record<string, unknown>) => void = () => {}
  const answered = new Promise<Record<string, unknown>>(resolve => {
    answer = resolve
  })
  const transport: ToolTransport = { start: async () => {}, send: async message => answer(message) }
  await server.connect(transport)
  transport.onmessage?.({ id: 1, method, params } as never)
  return answered
}
const run = async ({ id, name }: { id: string; name: string }) => ({
  content: [{ type: 'text' as const, text: `${name} ${id}` }],
  failed: false,
})

test.each([
  [true, { readOnlyHint: true }],
  [false, undefined],
])('with parallel %s the program is told %o of a tool', async (parallel, annotations) => {
  const { result } = await ask(new ToolServer([look], run, parallel), 'tools/list')
  expect(result).toEqual({
    tools: [{ name: 'look', description: 'Looks.', inputSchema: look.schema, ...(annotations ? { annotations } : {}) }],
  })
})

test('a call runs under the id that the program gave it, or one of its own', async () => {
  const server = new ToolServer([look], run, true)
  const given = { name: 'look', _meta: { 'claudecode/toolUseId': 'toolu_1' } }
  expect(await ask(server, 'tools/call', given)).toMatchObject({ result: { content: [{ text: 'look toolu_1' }] } })
  expect(await ask(server, 'tools/call', { name: 'look' })).toMatchObject({
    result: { content: [{ text: 'look mcp_1' }], isError: false },
  })
})

test('an unknown method is an error', async () => {
  expect(await ask(new ToolServer([look], run, true), 'prompts/list')).toMatchObject({ error: { code: -32603 } })
})
