// The graph that LangGraph's server loads.
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, AIMessageChunk } from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { createAgent, tool } from 'langchain'

let calls = 0

/** Asks for the tool, then is done. */
class ScriptedModel extends BaseChatModel {
  _llmType() {
    return 'scripted'
  }
  bindTools() {
    return this
  }
  async _generate(messages) {
    const { text, tool_calls } = reply(messages)
    return { generations: [{ text, message: new AIMessage({ content: text, tool_calls }) }] }
  }
  async *_streamResponseChunks(messages) {
    const { text, tool_calls } = reply(messages)
    yield new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text, tool_calls }) })
  }
}

const reply = messages =>
  messages.at(-1).getType() === 'tool'
    ? { text: 'done', tool_calls: [] }
    : { text: '', tool_calls: [{ id: `call-${calls++}`, name: 'calculate', args: { n: 0 } }] }

const calculate = tool(({ n }) => n + 1, {
  name: 'calculate',
  description: 'calculate',
  schema: { type: 'object', properties: { n: { type: 'number' } } },
})

export const agent = createAgent({ model: new ScriptedModel({}), tools: [calculate] })
