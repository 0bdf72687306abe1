import { deltasScript } from '../script.mjs'
import { batch, median, sampleFor } from '../stats.mjs'
import { warm } from '../warm.mjs'

const DELTAS = 20_000
const goal = { say: '≥ 0.7 × bare', miss: 'under', met: ({ own, bare }) => own >= 0.7 * bare }

export default {
  id: 'deltas',
  lines: [
    { id: 'deltas.1', title: '20,000 streamed deltas, 1 per yield', unit: 'M/s CPU', goal },
    { id: 'deltas.16', title: '20,000 streamed deltas, 16 per yield', unit: 'M/s CPU', goal },
  ],
  async measure(subject, budget) {
    const one = await rate(subject, budget, 1)
    if (budget.lines && !budget.lines.includes('deltas.16')) return { 'deltas.1': one }
    return { 'deltas.1': one, 'deltas.16': await rate(subject, budget, 16) }
  },
}

async function rate(subject, budget, perYield) {
  const agent = subject.create(subject.library, { script: deltasScript(DELTAS, perYield), tools: [] })
  const run = async () => {
    let characters = 0
    const onText = text => {
      characters += text.length
    }
    await agent.send({ onText }).done
    if (characters !== DELTAS * 3) throw new Error(`${characters} characters arrived instead of ${DELTAS * 3}.`)
  }
  await warm(run, budget)
  return DELTAS / (median(await sampleFor(budget.ms, () => batch(run))) * 1000)
}
