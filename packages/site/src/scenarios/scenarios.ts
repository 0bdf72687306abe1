import type { Files } from '../run/protocol.ts'

/** A play for the stage: two files, and what they show. */
export interface Scenario {
  readonly id: string
  readonly title: string
  /** The turn's story, in a sentence or two. */
  readonly shows: string
  /** The page of the docs that says more. */
  readonly page: string
  readonly files: Files
}

const sources = import.meta.glob<string>('./*/*.ts', { query: '?raw', import: 'default', eager: true })
const source = (id: string, name: string): string => sources[`./${id}/${name}`] ?? ''

const scenario = (id: string, title: string, shows: string, page: string): Scenario => ({
  id,
  title,
  shows,
  page,
  files: { 'hook.ts': source(id, 'hook.ts'), 'agent.ts': source(id, 'agent.ts') },
})

/** Six to begin with, then examples of what else hooks are for. */
export const scenarios: readonly [Scenario, ...Scenario[]] = [
  scenario(
    'block',
    'Block a call',
    'A guard says no before a tool runs. The model reads the reason and goes on.',
    'recipes#block',
  ),
  scenario(
    'retry',
    'Retry, and take text back',
    'The first attempt breaks in mid-sentence. What it had shown is withdrawn, on the page and from the history.',
    'recipes#retry-with-withdrawal',
  ),
  scenario(
    'redact',
    'Redact while it streams',
    'Numbers come in two pieces, and nobody sees a part of one. The wiretap prints what the model really said.',
    'recipes#redact',
  ),
  scenario(
    'cost',
    'A cost limit that asks',
    'At 50 cents the turn stops and asks you. A yes allows 25 more.',
    'recipes#a-cost-limit-that-asks',
  ),
  scenario(
    'critic',
    'A critic',
    'Another model looks at the finished answer and sends it back, twice at most.',
    'recipes#a-critic',
  ),
  scenario(
    'rewind',
    'Rewind on failing tests',
    'The code that the model wrote is run. Where it fails, the turn goes back and on, on a new branch of the tree.',
    'recipes#rewind-on-failing-tests',
  ),
  scenario(
    'approval',
    'An approval waits',
    'Payments above 100 euros need your yes. The clock stands still until you have answered.',
    'hooks#asking-a-person',
  ),
  scenario(
    'interrupt',
    'Interrupt, or interject',
    'Stop it in mid-sentence: the history stays whole. Or say something while it talks.',
    'lifecycle#an-interrupt',
  ),
  scenario(
    'winner',
    'Who decides?',
    'Three hooks want three things in one step. One resolver decides, and says why.',
    'lifecycle#what-ends-a-stage-early',
  ),
  scenario(
    'explore',
    'Two branches, one answer',
    'Two variants answer side by side. A judge keeps one; the other stays in the tree.',
    'middleware/quality#explore',
  ),
  scenario(
    'cache',
    'Answer without the model',
    'The second time, a hook skips the model and gives the reply itself. Its state outlives the turn.',
    'hooks#state',
  ),
  scenario(
    'breaker',
    'Break the circle',
    'A model asks for the same thing over and over. The third call stops the turn, with a closing word.',
    'middleware/limits#circuitbreaker',
  ),
  scenario(
    'stage',
    'A stage of your own',
    'A stage called moderate gets beforeModerate, wrapModerate and afterModerate. Nobody had to add them.',
    'stages',
  ),
  scenario(
    'own',
    'Your own',
    'An empty middleware with the eight hooks to begin with, and an agent that rolls dice.',
    'tutorial',
  ),
]

export const scenarioOf = (id: string): Scenario => scenarios.find(one => one.id === id) ?? scenarios[0]
export const isScenario = (id: string): boolean => scenarios.some(one => one.id === id)
