import { HttpAgent } from '@ag-ui/client'
import { HttpAgent as HttpAgent45 } from 'ag-ui-client-v0-45'
import { HttpAgent as HttpAgent59 } from 'ag-ui-client-v0-59'
import { type Model, middleware, type Prompt, tool } from 'turnbuckle'
import { approval, retry } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Served, serve } from '../../test/serve.ts'

const clients = [
  { version: '0.0.45', Agent: HttpAgent45 as unknown as typeof HttpAgent },
  { version: '0.0.59', Agent: HttpAgent59 as unknown as typeof HttpAgent },
  { version: '1.0.0', Agent: HttpAgent },
]
const add = tool({ name: 'add', run: ({ a, b }) => Number(a) + Number(b) })
const where = {
  name: 'where',
  description: 'The place of the person.',
  parameters: { type: 'object', properties: { exact: { type: 'boolean' } } },
}

describe.each(clients)('the client $version', ({ version, Agent }) => {
  const agentFor = ({ url }: Served) =>
    new Agent({ url: `${url}/ag-ui`, threadId: crypto.randomUUID(), headers: { authorization: 'Bearer secret' } })
  const say = (agent: HttpAgent, content: string) =>
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content })
  const shown = ({ messages }: HttpAgent) => messages.map(({ role, content }) => `${role}: ${content ?? ''}`)

  test('has each message of a run once, under an id of its own', async () => {
    const calls = [
      { name: 'add', args: { a: 1, b: 1 } },
      { name: 'add', args: { a: 2, b: 2 } },
    ]
    const model = scriptedModel([{ reasoning: 'Hm.', text: 'Let me see.', calls }, 'Two and four.'])
    const agent = agentFor(await serve({ model, tools: [add] }))
    say(agent, 'add')
    await agent.runAgent()
    const said = shown(agent).filter(line => !line.startsWith('reasoning'))
    expect(said).toEqual(['user: add', 'assistant: Let me see.', 'tool: 2', 'tool: 4', 'assistant: Two and four.'])
    const ids = agent.messages.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('shows nothing of an attempt that was withdrawn', async () => {
    let attempts = 0
    const model: Model = {
      id: 'breaks-once',
      async *stream() {
        yield { type: 'text', text: attempts ? 'Whole.' : 'Half' }
        if (!attempts++) throw Object.assign(new Error('overloaded'), { status: 529 })
      },
    }
    const agent = agentFor(await serve({ model, use: [retry({ times: 2, baseMs: 0 })] }))
    say(agent, 'hi')
    await agent.runAgent()
    expect(shown(agent)).toEqual(['user: hi', 'assistant: Whole.'])
  })

  test('runs its own tools for the agent, two of one reply as well, beside one of the agent', async () => {
    const calls = [
      { name: 'where', args: { exact: true }, id: 'first' },
      { name: 'add', args: { a: 1, b: 2 }, id: 'second' },
      { name: 'where', args: {}, id: 'third' },
    ]
    const model = scriptedModel([{ calls }, 'Oslo, and three.'])
    const agent = agentFor(await serve({ model, tools: [add] }))
    say(agent, 'where am I?')
    await agent.runAgent({ tools: [where] })
    expect(model.prompts[0]?.tools).toContainEqual(
      expect.objectContaining({ name: 'where', description: where.description }),
    )
    for (const toolCallId of ['first', 'third'])
      agent.addMessage({ id: crypto.randomUUID(), role: 'tool', toolCallId, content: `Oslo ${toolCallId}` })
    await agent.runAgent({ tools: [where] })
    expect(shown(agent).slice(2)).toEqual([
      'tool: Oslo first',
      'tool: Oslo third',
      'tool: 3',
      'assistant: Oslo, and three.',
    ])
    const results = model.prompts[1]?.messages.flatMap(({ content }) => content.filter(({ type }) => type === 'result'))
    expect(results).toMatchObject([
      { id: 'first', status: 'ok', value: 'Oslo first' },
      { id: 'second', status: 'ok', value: 3 },
      { id: 'third', status: 'ok', value: 'Oslo third' },
    ])
  })

  test('gives the agent its context and its state, and is told another state', async () => {
    const seen: unknown[] = []
    const looks = middleware({
      name: 'looks',
      beforeModel(ctx) {
        seen.push(ctx.shared.get('ag-ui'))
        ctx.emit({ type: 'ag-ui.state', snapshot: { count: 2 } })
      },
    })
    const model = scriptedModel(['Hi.'])
    const agent = agentFor(await serve({ model, use: [looks] }))
    agent.setState({ count: 1 })
    say(agent, 'hi')
    await agent.runAgent({ context: [{ description: 'Name', value: 'Ada' }] })
    const { instructions } = model.prompts[0] as Prompt
    expect(instructions).toContain('- Name: Ada')
    expect(instructions).toContain('{"count":1}')
    expect(seen).toMatchObject([{ context: [{ description: 'Name', value: 'Ada' }], state: { count: 1 } }])
    expect(agent.state).toEqual({ count: 2 })
  })

  test('stops the run with abortRun', async () => {
    const model: Model = {
      id: 'endless',
      async *stream(_prompt, { signal }) {
        yield { type: 'text', text: 'half' }
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    }
    const server = await serve({ model })
    const agent = agentFor(server)
    say(agent, 'hi')
    await agent.runAgent({}, { onTextMessageContentEvent: () => agent.abortRun() }).catch(() => {})
    const turns = async () => (await server.call('GET', `/api/conversations/${agent.threadId}`)).body.turns
    await expect.poll(turns, { timeout: 20_000 }).toMatchObject([{ status: 'interrupted' }])
  })

  test('answers an approval, and the turn goes on', async () => {
    const model = scriptedModel([{ calls: [{ name: 'add', args: { a: 2, b: 3 } }] }, 'Five.'])
    const agent = agentFor(await serve({ model, tools: [add], use: [approval()] }))
    say(agent, 'add')
    let asked = ''
    const onRunFinishedEvent = ({ event }: { event: object }) => {
      const { outcome } = event as { outcome?: { interrupts?: readonly { id: string }[] } }
      asked = outcome?.interrupts?.[0]?.id ?? ''
    }
    await agent.runAgent({}, { onRunFinishedEvent })
    const resume = [{ interruptId: asked, status: 'resolved' as const, payload: { approved: true } }]
    await agent.runAgent(version === '0.0.45' ? { forwardedProps: { resume } } : { resume })
    expect(shown(agent)).toEqual(['user: add', 'assistant: ', 'tool: 5', 'assistant: Five.'])
  })

  test('reads on behind the sign of life that a run gives while a tool takes its time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const model = scriptedModel([{ calls: [{ name: 'slow' }] }, 'Done.'])
    const slow = tool({ name: 'slow', run: () => void vi.advanceTimersByTime(20_000) })
    const agent = agentFor(await serve({ model, tools: [slow] }))
    say(agent, 'hi')
    await agent.runAgent()
    expect(shown(agent).at(-1)).toBe('assistant: Done.')
  })

  test.each([
    { what: 'its own tool', name: 'where' },
    { what: 'an approval', name: 'add' },
  ])('says something else after a reload while $what is waited for', async ({ name }) => {
    const model = scriptedModel([{ calls: [{ name, args: {} }] }, 'Welcome back.'])
    const server = await serve({ model, tools: [add], use: [approval({ allow: ['where'] })] })
    const before = agentFor(server)
    say(before, 'hi')
    await before.runAgent({ tools: [where] })
    const { url, threadId } = before
    const after = new Agent({ url, threadId, headers: before.headers })
    say(after, 'I am back')
    await after.runAgent({ tools: [where] })
    expect(shown(after)).toEqual(['user: I am back', 'assistant: Welcome back.'])
    const { turns } = (await server.call('GET', `/api/conversations/${threadId}`)).body
    expect(turns).toMatchObject([{ status: 'interrupted' }, { status: 'completed' }])
  })
})
