import { createAgent } from 'turnbuckle'
import { connectMcp, type McpOAuth, type McpSignInPrompt } from 'turnbuckle/mcp'
import { scriptedModel } from 'turnbuckle/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { GuardedServer } from '../../test/support/guarded-server.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function guard(): Promise<GuardedServer> {
  const guarded = await new GuardedServer().listen()
  closing.push(() => guarded.close())
  return guarded
}

const memory = () => {
  const kept = new Map<string, string>()
  return {
    kept,
    get: (url: string) => kept.get(url),
    set: (url: string, text: string | undefined) => void (text === undefined ? kept.delete(url) : kept.set(url, text)),
  }
}

async function connect(guarded: GuardedServer, oauth: McpOAuth, store = memory(), show = true) {
  const prompts: McpSignInPrompt[] = []
  const mcp = await connectMcp(
    { it: { url: `${guarded.url}/mcp`, oauth } },
    {
      prefix: false,
      signIn: {
        store,
        ...(show
          ? {
              async show(prompt: McpSignInPrompt) {
                prompts.push(prompt)
                if (!prompt.code) await fetch(prompt.url)
              },
            }
          : {}),
      },
    },
  )
  closing.push(() => mcp.close())
  const hello = async () => {
    const agent = createAgent({ model: scriptedModel([{ calls: [{ name: 'hello', args: {} }] }, 'ok']) })
    const detach = mcp.attach(agent)
    const { messages } = await agent.send('go')
    detach()
    return messages.flatMap(({ content }) => content).find(part => part.type === 'result')
  }
  return { mcp, prompts, hello }
}

describe.each([
  { flow: 'browser' as const, grant: 'authorization_code', asks: { url: expect.stringContaining('/authorize?') } },
  { flow: 'device' as const, grant: 'device_code', asks: { url: expect.stringContaining('/enter'), code: 'ABCD' } },
])('a person signs in, flow $flow', ({ flow, grant, asks }) => {
  test('once; the tokens are kept, refreshed, and asked for anew when that fails', async () => {
    const guarded = await guard()
    const store = memory()
    const first = await connect(guarded, { flow }, store)
    expect(first.mcp.servers).toEqual([{ name: 'it', status: 'ready' }])
    expect(first.prompts).toMatchObject([{ server: 'it', ...asks }])
    expect(await first.hello()).toMatchObject({ status: 'ok', value: 'Hello!' })

    const again = await connect(guarded, { flow }, store)
    expect(again.prompts).toEqual([])
    guarded.tokens.clear()
    expect(await again.hello()).toMatchObject({ status: 'ok' })
    expect(guarded.grants).toEqual([grant, 'refresh_token'])
    expect(guarded.registrations).toBe(1)
  })

  test('again, where the server takes the sign-in back while its tools are listed', async () => {
    const guarded = await guard()
    guarded.revokesAt = 'tools/list'
    const { mcp, prompts, hello } = await connect(guarded, { flow })
    expect(mcp.servers).toEqual([{ name: 'it', status: 'ready' }])
    expect(prompts).toHaveLength(2)
    expect(await hello()).toMatchObject({ status: 'ok' })
  })

  test('and without anybody to ask the server has failed, and says why', async () => {
    const guarded = await guard()
    const { mcp } = await connect(guarded, { flow }, memory(), false)
    expect(mcp.servers).toMatchObject([{ status: 'failed', error: expect.stringContaining('needs a sign-in') }])
  })
})

test('headers of a function are fresh for each request, and asked for again when they are refused', async () => {
  const guarded = await guard()
  guarded.keys.add('key-2')
  const whys: boolean[] = []
  const headers = ({ refused }: { readonly refused: boolean }) => {
    whys.push(refused)
    return { 'X-Key': refused ? 'key-2' : 'key-1' }
  }
  const mcp = await connectMcp({ it: { url: `${guarded.url}/mcp`, headers } })
  closing.push(() => mcp.close())
  expect(mcp.servers).toMatchObject([{ status: 'ready' }])
  expect(whys.slice(0, 2)).toEqual([false, true])
})
