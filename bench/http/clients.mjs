import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

function ask(url, { method = 'GET', token, body, onData } = {}) {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', onData ?? (chunk => (text += chunk)))
      if (onData) return resolve(response)
      response.on('end', () => {
        if (response.statusCode < 300) resolve(text)
        else reject(new Error(`${response.statusCode} ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

/** The body of a call. */
export const askServer = ({ url, token }, path) => ask(url + path, { token })

/** The stream of a conversation's events, once its first bytes are there. */
export const follow = ({ url, token }, id) =>
  new Promise((resolve, reject) => {
    const onData = () => opened.then(resolve, reject)
    const opened = ask(`${url}/api/conversations/${id}/events`, { token, onData })
    opened.catch(reject)
  })

/** Follows a conversation by server-sent events, and sends one message after another. */
async function converse({ url, token }) {
  const { id } = JSON.parse(await ask(`${url}/api/conversations`, { method: 'POST', token, body: {} }))
  const here = `${url}/api/conversations/${id}`
  let over
  let rest = ''
  const onData = chunk => {
    rest += chunk
    const ended = /"type":"turn\.(completed|failed|stopped)"/.exec(rest)
    if (!ended) rest = rest.slice(-40)
    else {
      rest = ''
      over(ended[1])
    }
  }
  const stream = await ask(`${here}/events`, { token, onData })
  return {
    async turn() {
      const end = new Promise(resolve => {
        over = resolve
      })
      await ask(`${here}/turns`, { method: 'POST', token, body: { text: 'go' } })
      const how = await end
      if (how !== 'completed') throw new Error(`A turn was ${how}.`)
    },
    close: () => stream.destroy(),
  }
}

/** One turn as a client of the route keeps it: what it said, the call, its result and the answer. */
const said = { role: 'user', content: 'go' }
const answered = [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call-0', toolName: 'calculate', input: { n: 0 } }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'call-0', toolName: 'calculate', output: { type: 'json', value: 1 } }],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
]

/**
 * Sends one message after another to a server that keeps nothing, each with the conversation so far, as the page of a user does
 * (`useChat`): its model sees as many messages as ours. Reads the answer to its end.
 */
const askWithAll =
  path =>
  async ({ url }) => {
    const messages = []
    return {
      async turn() {
        messages.push(said)
        await answerOf(url + path, { messages })
        messages.push(...answered)
      },
      close() {},
    }
  }

/** A thread of LangGraph's server, which keeps it. */
async function askThread({ url }) {
  const { thread_id } = JSON.parse(await ask(`${url}/threads`, { method: 'POST', body: {} }))
  const body = { assistant_id: 'bench', input: { messages: [said] }, stream_mode: ['messages'] }
  return { turn: () => answerOf(`${url}/threads/${thread_id}/runs/stream`, body), close() {} }
}

async function answerOf(url, body) {
  const text = await ask(url, { method: 'POST', body })
  if (!text.includes('done')) throw new Error(`${url} said: ${text}`)
}

export const clients = {
  route: askWithAll('/chat'),
  mastra: askWithAll('/api/agents/bench/stream'),
  langgraph: askThread,
  memory: converse,
  sqlite: converse,
  filled: converse,
}
