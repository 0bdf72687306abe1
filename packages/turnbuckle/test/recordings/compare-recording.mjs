import { isDeepStrictEqual } from 'node:util'
import { namedDifferences } from './named-differences.mjs'
import { playAi } from './play-ai.mjs'
import { playOurs } from './play-ours.mjs'
import { providerTools } from './recorded-tools.mjs'
import { serveReplies } from './serve-replies.mjs'

/** OpenAI's history is sent in two forms: whole, as an agent does by default, and as references to what OpenAI has stored. */
const settings = ({ protocol, vendor }) =>
  vendor === 'openai' && protocol === 'responses' ? [{ openai: { store: false } }, { openai: { store: true } }] : [{}]

/** Plays a recording on both sides. Gives the named differences that it shows, and the first other one. */
export async function compareRecording(library, recording) {
  const names = new Set()
  for (const providerOptions of settings(recording)) {
    const tools = providerTools(recording)
    const setting = { ...tools, functions: await calledFunctions(recording, tools), providerOptions }
    const theirs = withSameIds(await playAi(recording, setting))
    const ours = withSameIds(await playOurs(library, recording, setting))
    const difference = levelled(recording.name, plain(ours), plain(theirs), names)
    if (difference)
      return {
        names: [...names],
        difference: { ...difference, setting: JSON.stringify(providerOptions), runs: { ours, theirs } },
      }
  }
  return { names: [...names], difference: undefined }
}

/** Levels named differences, one after the other, until nothing is left. Gives what is. */
function levelled(recording, ours, theirs, names) {
  let sides = [ours, theirs]
  for (const { name, recordings, level } of namedDifferences) {
    if (isDeepStrictEqual(...sides)) break
    if (recordings && !recordings.test(recording)) continue
    const next = sides.map(side => plain(level(structuredClone(side))))
    if (isDeepStrictEqual(differences(...sides), differences(...next))) continue
    names.add(name)
    sides = next
  }
  return differences(...sides)[0]
}

/** What JSON leaves out does not count. */
const plain = value => JSON.parse(JSON.stringify(value))

/** Ids that a package makes up are numbered as they come: they are others each time. */
function withSameIds({ replies, bodies, failed }) {
  const ids = replies.flatMap(({ parts }) => parts.filter(({ type }) => type === 'call').map(({ id }) => id))
  let text = JSON.stringify({ replies, bodies, failed })
  for (const [n, id] of [...new Set(ids)].entries())
    text = text.replaceAll(JSON.stringify(id).slice(1, -1), `call-${n}-`)
  return JSON.parse(text)
}

/** The names of the functions that a recording calls. */
async function calledFunctions(recording, { own, run }) {
  const known = [...own, ...run]
  const names = new Set()
  const { fetch } = serveReplies(recording)
  const model = recording.model(fetch)
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }]
  const tools = known.map(({ name, tool: { id, args } }) => ({ type: 'provider', id, name, args }))
  try {
    for (const _reply of recording.replies) {
      const { stream } = await model.doStream({ prompt, tools })
      for await (const { type, providerExecuted, toolName } of stream)
        if (type === 'tool-call' && !providerExecuted && !known.some(({ name }) => name === toolName))
          names.add(toolName)
    }
  } catch {
    // A recorded failure: both sides will say so.
  }
  return [...names]
}

/** The places at which two values are not the same. */
function differences(ours, theirs, at = '') {
  if (isDeepStrictEqual(ours, theirs)) return []
  const inside = [ours, theirs].every(value => typeof value === 'object' && value !== null)
  if (!inside || Array.isArray(ours) !== Array.isArray(theirs)) return [{ at, ours, theirs }]
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
  return keys.flatMap(key => differences(ours[key], theirs[key], `${at}/${key}`))
}
