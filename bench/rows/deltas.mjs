import { measureLines, plainly } from '../prepared.mjs'
import { deltasScript } from '../script.mjs'

const DELTAS = 20_000
const goal = { say: '≥ 0.7 × bare', miss: 'under', met: ({ own, bare }) => own >= 0.7 * bare }

const lines = [1, 16].map(perYield => ({
  id: `deltas.${perYield}`,
  title: `20,000 streamed deltas, ${perYield} per yield`,
  unit: 'M/s CPU',
  goal,
  prepare: subject => plainly(reading(subject, perYield)),
  value: ms => DELTAS / (ms * 1000),
}))

export default { id: 'deltas', lines, measure: (subject, budget) => measureLines(lines, subject, budget) }

function reading(subject, perYield) {
  const agent = subject.create(subject.library, { script: deltasScript(DELTAS, perYield), tools: [] })
  return async () => {
    let characters = 0
    const onText = text => {
      characters += text.length
    }
    await agent.send({ onText }).done
    if (characters !== DELTAS * 3) throw new Error(`${characters} characters arrived instead of ${DELTAS * 3}.`)
  }
}
