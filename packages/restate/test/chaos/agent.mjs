// The agent of the chaos run: a model that does what the message says, and tools that leave a synced line each time they run.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createAgent, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { postgresStore } from 'turnbuckle/stores'
import { agentTool } from 'turnbuckle/tools'

const textOf = ({ content }) => content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('')
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

/** Appends a line to a file of this process, and waits for the disk. */
function witnessIn(folder, name) {
  const file = openSync(join(folder, `${name}-${process.pid}.lines`), 'a')
  process.once('exit', () => closeSync(file))
  return line => {
    writeSync(file, `${JSON.stringify({ at: Date.now(), ...line })}\n`)
    fsyncSync(file)
  }
}

/**
 * A message is a program: words that are done one after the other, `say`, `think` (longer), `tell` (what time it is, thirty
 * times), `mark` (a tool), `ask` (one that a person has to allow), `late` (one that two people are
 * asked about in vain), `help` (a sub-agent, which marks), `helpers` (two, side by side), `help-ask` (one that asks), `help-think` (one that
 * takes its time), `help-help`, `help-help-ask` and `help-help-think` (one whose own sub-agent does that). The number of results since the message says which word comes next, so that a resumed turn goes on.
 */
function programModel(witness) {
  return {
    id: 'program',
    async *stream({ messages }) {
      const from = messages.findLastIndex(
        ({ role, content }) => role === 'user' && textOf({ content }).startsWith('do '),
      )
      const [, name, ...words] = textOf(messages[from] ?? { content: [] }).split(' ')
      const after = messages.slice(from + 1)
      const step = after.filter(({ role }) => role === 'assistant').length
      witness({ model: name, step })
      const word = words[step]
      for await (const text of saying(name, step, word)) yield { type: 'text', text }
      const args = { name: `${name}.${step}` }
      if (['mark', 'ask', 'late'].includes(word)) yield { type: 'call', id: `c${step}`, name: word, args }
      for (const [i, task] of (helpers[word] ?? []).entries()) {
        const nth = i ? `-${i}` : ''
        yield { type: 'call', id: `c${step}${nth}`, name: 'helper', args: { task: `do ${name}.${step}${nth} ${task}` } }
      }
      yield { type: 'usage', inputTokens: 10, outputTokens: 3 }
      yield { type: 'finish', reason: ['say', 'think', 'tell', undefined].includes(word) ? 'stop' : 'tool-calls' }
    },
  }
}

/** The programs of the sub-agents that a word calls. */
const helpers = {
  help: ['mark say'],
  helpers: ['mark say', 'mark mark say'],
  'help-ask': ['ask say'],
  'help-think': ['mark think'],
  'help-help': ['mark help say'],
  'help-help-ask': ['help-ask say'],
  'help-help-think': ['help-think say'],
}

/** The text of a reply, as it is made. */
async function* saying(name, step, word = 'done') {
  for (const text of [`${name} `, `step ${step} `, word]) {
    yield text
    await sleep(word === 'think' ? 500 : 5)
  }
  for (let i = 0; word === 'tell' && i < 30; i++) {
    yield `<${Date.now()}>`
    await sleep(50)
  }
}

/** A tool whose run is a line before its effect and one after it. */
const markTool = (name, witness, needsApproval = false) =>
  tool({
    name,
    needsApproval,
    description: 'Leaves a line.',
    async run(args, { call, idempotencyKey }) {
      witness({ began: args.name, key: idempotencyKey ?? call.id })
      await sleep(20)
      witness({ ran: args.name, key: idempotencyKey ?? call.id })
      return `marked ${args.name}`
    },
  })

/** The store and the agent that all servers and workers of the run have. */
export function chaosAgent({ url, folder, leaseMs }) {
  const store = postgresStore(url, { leaseMs, waitMs: 3000 })
  const witness = witnessIn(folder, 'witness')
  const model = programModel(witness)
  const mark = markTool('mark', witness)
  const late = markTool('late', witness)
  const escalates = approval({
    tools: ['late'],
    ask: ['late'],
    escalate: [{ after: 1000, to: 'ben' }],
    timeout: 1000,
    fallback: 'allow',
  })
  const ask = markTool('ask', witness, true)
  const lowest = createAgent({ name: 'helper', model, tools: [mark, ask], store })
  const helperOf = agent => agentTool(agent, { name: 'helper', description: 'Helps.' })
  const helper = createAgent({ name: 'helper', model, tools: [mark, ask, helperOf(lowest)], store })
  const agent = createAgent({
    model,
    store,
    use: [escalates],
    tools: [mark, late, ask, helperOf(helper)],
  })
  return { agent, store }
}
