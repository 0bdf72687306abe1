// Tools of the AI SDK and of LangChain, as they are.
import { tool as langChainTool } from '@langchain/core/tools'
import { tool as aiTool } from 'ai'
import { createAgent } from 'turnbuckle'
import { aiSdkTools } from 'turnbuckle/ai-sdk'
import { langChainTools } from 'turnbuckle/langchain'
import { scriptedModel } from 'turnbuckle/testing'
import { z } from 'zod'

const city = z.object({ city: z.string() })
const weather = aiTool({ inputSchema: city, execute: ({ city: of }) => `Sunny in ${of}` })
const time = langChainTool(({ city: of }) => `Noon in ${of}`, { name: 'time', schema: city })

const calls = ['weather', 'time'].map(name => ({ name, args: { city: 'Oslo' } }))
const model = scriptedModel([{ calls }, 'A sunny noon.'])
const agent = createAgent({ model, tools: [...aiSdkTools({ weather }), ...langChainTools([time])] })

const turn = agent.send('How is Oslo?')
for await (const event of turn) if (event.type === 'tool.completed') console.log(`${event.name}: ${event.result}`)
console.log((await turn).text)
