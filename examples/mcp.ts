// The tools of an MCP server, in an agent, behind its hooks.
import { fileURLToPath } from 'node:url'
import { createAgent } from 'turnbuckle'
import { connectMcp } from 'turnbuckle/mcp'
import { toolLimit } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'

const server = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
const mcp = await connectMcp({
  everything: { command: process.execPath, args: [server, 'stdio'] },
  absent: { command: 'no-such-server' },
})
for (const { name, status } of mcp.servers) console.log(`${name}: ${status}`)

const agent = createAgent({
  model: scriptedModel([{ calls: [{ name: 'everything__get-sum', args: { a: 20, b: 22 } }] }, 'There you are.']),
  use: [toolLimit({ max: 10 })],
})
mcp.attach(agent)

for await (const event of agent.send('What is 20 + 22?')) if (event.type === 'tool.completed') console.log(event.result)
await mcp.close()
