import { versionOf } from './machine.mjs'
import { spread, table } from './report.mjs'

const modules = new URL('./peers/node_modules/', import.meta.url)
const own = new URL('../packages/', import.meta.url)

export function resultsPage({ before, rounds, lines, subjects, results, notes, here, gaveUp, after }) {
  return `# What the loop costs

The same scripted model and tool through a bare loop, Turnbuckle and its peers. Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)};
do not edit by hand. Ratios are to the bare loop of the same run. "–": the subject does not do this work.

- machine: ${before.cpu}, ${before.memory}, ${before.system}; load ${before.load} when the run began, ${after.load} at its end
- Node ${before.node} for everyone; medians of ${rounds} interleaved rounds, each in a fresh process, begun when the processors were idle${gaveUp > 0 ? ` (but for ${gaveUp} that could wait no longer)` : ''}
- versions: ${versions(subjects, before.build)}

${table(lines, subjects, results)}

${here ? `## The same on Node ${here.node}\n\n${table(lines, here.subjects, here.results)}\n` : ''}
## Lowest and highest round

${spread(lines, results)}

## How to read it

${REMARKS}
${notes.length > 0 ? `\n## Not measured\n\n${notes.join('\n')}\n` : ''}`
}

function versions(subjects, build) {
  const peers = subjects.flatMap(({ packages = [] }) => packages.map(name => `${name} ${versionOf(name, modules)}`))
  return [`turnbuckle ${versionOf('turnbuckle', own)} (${build})`, ...peers].join(', ')
}

const REMARKS = `- CPU: processor time, with the threads that compile and collect garbage, so that others on the machine are not in it. The other
  times are by the clock, and the 99th percentiles suffer most when the load is higher than the number of processors.
- Where no text is read (steps, hooks, history, conversations, parallel) a peer takes its cheapest path: \`generate\`,
  \`invoke\` or a run without streaming. The bare loop and Turnbuckle always stream.
- Default agent: \`createAgent\` with its defaults (50 steps at most, circuit breaker on), a tool whose arguments a zod schema
  checks, and a model that waits before it answers and hands over one chunk at a time. The bare loop does the same with the same
  schema; every peer is given it too, but for pi, which has TypeBox in its place. The other rows do not check arguments.
- As it ships: the agent that \`turnbuckle chat\` and \`npm start\` make without settings, by their own code: trace kept, approval,
  limits of context and time, the workspace's tools; the server's with its inspector, but without HTTP. It is compared with the
  bare loop of the default agent, which keeps nothing and asks nobody. Each sample is of an agent with an empty store.
  The goal is the highest ratio of the version before the redesign in several runs on a busy machine, 430 to 690 × in memory and
  1,050 to 1,740 × on SQLite.
- Between two model calls: what the library does there. Turnbuckle makes the list of messages for who reads it, one flat copy
  a call; the lines below say what a model pays that does, and how both grow for one that looks at the text of every message, as an
  adapter of a provider has to. The peers make the list in any case, the bare loop hands out its own.
- Agents with a conversation each: made and run at once, with their defaults, as a server does that has an agent for each
  conversation. By the clock, the median of seven runs after three.
- Each peer is the newest release that could be installed. For pi-agent-core that is 0.87.1: the four later ones, 1.0.3 to
  1.5.0, depend on pi-telemetry 1.x or pi-schema, which the registry did not have.
- Hooks: what one more costs, by the slope between 1 and 11. pi and the OpenAI SDK offer listeners, LangChain a wrap, the AI SDK
  one callback that calls the hooks in turn: theirs do less than a hook that may block a call.
- Deltas: the bare loop hands each to a callback; Turnbuckle's are read through \`turn.text\`.
- Conversations: peak is heap and buffers with the garbage not yet collected, sampled in every turn of the event loop; live is
  after a collection, with all conversations waiting for their last reply. The peak moves with the moment of the collections; the
  eight steps were chosen by the bare loop alone, so that it needs about the 16 KiB that the goal was set against.
- Over HTTP: the AI SDK route and Mastra's server (1.71.0, without memory) keep nothing, their clients send the conversation so far.
  LangGraph's development server (1.5.1: the registry lacks what 2.0.0 asks for) keeps threads in memory and has fifty workers; a run
  waits for its queue, which looks every half second when nothing else wakes it. Our server is \`turnbuckle serve\` without settings.
- Interrupt: half of the deaf streams hang, half go on for ever. "never": not answered within 200 ms. For the OpenAI SDK the
  end of the events counts, its \`completed\` waits for the model and the tool. The AI SDK keeps the text in the UI message stream,
  not in its results, so that is what is read here.
- Durable: a turn of 20 tool steps on SQLite (write-ahead log, synchronous=FULL), then the raw driver with the same records, one row
  each, in as many synced transactions; in turn, in one process, medians. Turnbuckle's transactions also check the writer's fencing
  token and keep the tree, the turns and the usage. Opening: \`agent.open\` on an open store, and the same page by the raw driver.
  The faster the disk syncs, the more the rest weighs.`
