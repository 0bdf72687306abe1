// A tool of your own, and the ready ones for a folder. The arguments' types follow from the schema.
import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { workspaceTools } from 'turnbuckle/tools'
import { z } from 'zod'

const weather = tool({
  name: 'weather',
  description: 'The weather in a city.',
  input: z.object({ city: z.string() }),
  run: ({ city }) => `Sunny in ${city}`,
})
const agent = createAgent({
  model: scriptedModel([
    {
      calls: [
        { name: 'weather', args: { city: 'Oslo' } },
        { name: 'read_file', args: { path: 'package.json' } },
        { name: 'read_file', args: { path: '../../../etc/passwd' } },
      ],
    },
    'No umbrella today.',
  ]),
  tools: [weather, ...workspaceTools({ root: import.meta.dirname, files: 'read' })],
})

const { messages, text } = await agent.send('Umbrella in Oslo?')
for (const part of messages.flatMap(({ content }) => content))
  if (part.type === 'result') console.log(`${part.name}, ${part.status}: ${String(part.value).slice(0, 60)}`)
console.log(text)
