/**
 * The loop that one writes by hand in an afternoon: it iterates the model's stream, gathers text, records the
 * assistant's message, runs the tools, records each result, and decides. No hooks unless given, no interrupts.
 */
export async function bareLoop({ stream, tools, messages, hooks = [], onText }) {
  for (;;) {
    const said = { role: 'assistant', content: '', calls: [] }
    for await (const given of stream(messages)) takeAll(given, said, onText)
    messages.push(said)
    if (said.calls.length === 0) return { text: said.content, messages }
    for (const message of await runTools(said.calls, tools, hooks)) messages.push(message)
  }
}

/** A model hands over one chunk, or an array of them. */
function takeAll(given, said, onText) {
  if (Array.isArray(given)) for (const chunk of given) take(chunk, said, onText)
  else take(given, said, onText)
}

function take(chunk, said, onText) {
  if (chunk.type === 'text') {
    said.content += chunk.text
    onText?.(chunk.text)
  } else if (chunk.type === 'call') said.calls.push(chunk)
}

async function runTools(calls, tools, hooks) {
  if (calls.length === 1) return [await runTool(calls[0], tools, hooks)]
  return Promise.all(calls.map(call => runTool(call, tools, hooks)))
}

async function runTool(call, tools, hooks) {
  for (const hook of hooks) {
    const answer = hook(call)
    if (answer) await answer
  }
  const { input, run } = tools[call.name]
  const value = run(input ? input.parse(call.args) : call.args)
  return { role: 'tool', id: call.id, content: value instanceof Promise ? await value : value }
}

/** The same loop for the interrupt row: every wait is a race with the signal, and the text so far is kept. */
export async function interruptibleLoop({ stream, tools, messages, signal, onText }) {
  const gone = new Promise(resolve => signal.addEventListener('abort', () => resolve(GONE), { once: true }))
  for (;;) {
    const said = { role: 'assistant', content: '', calls: [] }
    const reply = stream(messages)
    messages.push(said)
    if ((await listen(reply, said, gone, onText)) === GONE) return { text: said.content, messages }
    if (said.calls.length === 0) return { text: said.content, messages }
    const results = await Promise.race([runTools(said.calls, tools, []), gone])
    if (results === GONE) return { text: said.content, messages }
    for (const message of results) messages.push(message)
  }
}

async function listen(stream, said, gone, onText) {
  const reader = stream[Symbol.asyncIterator]()
  for (;;) {
    const turn = await Promise.race([reader.next(), gone])
    if (turn === GONE) {
      void reader.return?.()
      return GONE
    }
    if (turn.done) return
    takeAll(turn.value, said, onText)
  }
}

const GONE = Symbol('interrupted')
