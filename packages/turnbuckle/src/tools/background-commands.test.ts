import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, type ResultPart } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { BackgroundCommands, workspaceTools } from 'turnbuckle/tools'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'turnbuckle-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** An agent that runs a command until there is a file `go`, and then reads what it has written. It writes `late` after 3.5 seconds. */
function begin(timeout = 120_000) {
  const background = new BackgroundCommands()
  const command =
    'echo begun; i=0; until [ -f go ]; do sleep 0.05; i=$((i+1)); [ $i = 70 ] && echo late; done; echo went; exit 3'
  const ended = new Promise<number | string | undefined>(resolve => {
    background.onEnd = ({ code }) => resolve(code)
  })
  const agent = createAgent({
    model: scriptedModel([
      { calls: [{ name: 'shell', args: { command, timeout } }] },
      { calls: [{ name: 'command_output', args: { id: '1' } }] },
      'ok',
      { calls: [{ name: 'command_output', args: { id: '1' } }] },
      'ok',
    ]),
    tools: workspaceTools({ root, files: false, shell: { background } }),
  })
  const conversation = agent.conversation('conv_a')
  /** Sends all that runs to the background as soon as something has been written. */
  const send = async () => {
    const turn = conversation.send('go')
    for await (const event of turn) if (event.type === 'tool.progress') background.send()
    return results(await turn)
  }
  return { background, conversation, ended, send, go: () => writeFile(join(root, 'go'), '') }
}
const results = ({ messages }: { messages: readonly { content: readonly { type: string }[] }[] }) =>
  messages
    .flatMap(({ content }) => content)
    .flatMap(part => (part.type === 'result' ? [(part as ResultPart).value] : []))

test('a command that is sent to the background has its result at once, goes on, and its output is read later', async () => {
  const { background, conversation, ended, send, go } = begin()
  const [sent, read] = await send()
  expect(sent).toMatch(/^begun\n\n\[a person sent it to the background, where it goes on as command 1: /)
  expect(read).toMatch(/^\$ echo begun; [\s\S]*\nbegun\n\n\[it runs\]$/)
  expect(background.send()).toEqual([])
  await go()
  expect(await ended).toBe(3)
  expect(results(await conversation.send('and now?')).at(-1)).toMatch(/begun\nwent\n\n\[it has ended, exit code 3\]$/)
})

test('in the background neither the time limit of the call nor an interrupt ends a command; its own end does', async () => {
  const { background, conversation, ended, send } = begin(3000)
  await send()
  const turn = conversation.send('again')
  turn.interrupt()
  await turn
  const [command] = background.all
  await vi.waitUntil(() => command?.output().includes('late'), { timeout: 20_000 })
  expect(command?.code).toBeUndefined()
  command?.end()
  expect(await ended).toBe('SIGKILL')
})

test('a number that no command has is an error that names those there are', async () => {
  const { background, conversation, send } = begin()
  await send()
  background.all[0]?.end()
  const agent = createAgent({
    model: scriptedModel([{ calls: [{ name: 'command_output', args: { id: '7' } }] }, 'ok']),
    tools: workspaceTools({ root, files: false, shell: { background } }),
  })
  expect(conversation.id).toBe('conv_a')
  expect(results(await agent.send('read'))[0]).toContain('There is no command "7" in the background. There: 1.')
})
