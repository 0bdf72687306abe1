// A person decides what runs. Rules answer what is clear; the rest is asked.
import { createAgent } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { commandParts, workspaceTools } from 'turnbuckle/tools'

const shell = (command: string) => ({ calls: [{ name: 'shell', args: { command } }] })

const agent = createAgent({
  model: scriptedModel([shell('echo hello'), shell('echo hello; rm -rf build'), shell('date > today'), 'Done.']),
  tools: workspaceTools({ root: import.meta.dirname, files: false, shell: true }),
  use: [approval({ allow: ['shell(echo *)'], deny: ['shell(rm *)'], parts: commandParts })],
})

const turn = agent.send('Clean up.')
for await (const event of turn) {
  if (event.type === 'request.opened') {
    const { args } = event.payload as { args: { command: string } }
    console.log(`May I run "${args.command}"? No.`)
    turn.answer(event.requestId, { decision: 'deny', reason: 'Not now.' })
  }
  if (event.type === 'tool.completed' || event.type === 'tool.failed')
    console.log(`${event.status}: ${String(event.result).trim()}`)
}
