import type { Message } from 'turnbuckle'
import { textOf } from 'turnbuckle'
import type { Difference, ReplayedTurn, TextDifference } from 'turnbuckle/stores'
import { cleanText } from '../text/clean-text.ts'
import { formatCount } from '../text/format-count.ts'
import { costText, outcomeSentence } from './replay-lines.ts'
import type { ReplayOutcome, ReplayTally, SummedUsage } from './replay-tally.ts'
import { reportStyle } from './report-style.ts'

/** Turns of each outcome that are shown one by one; the rest is only counted, so that page and memory stay small. */
const shownTurns = 500
/** Characters of a text that are shown. */
const shownText = 2000

/** Sections in the order of a reader's interest. */
const sections: readonly { readonly outcome: ReplayOutcome; readonly title: string; readonly means: string }[] = [
  { outcome: 'different', title: 'Different', means: 'A hook decided otherwise, or a text reads otherwise.' },
  { outcome: 'failed', title: 'Failed', means: 'The turn could not be read or replayed.' },
  {
    outcome: 'diverged',
    title: 'Diverged',
    means:
      'No decision differs up to a point from which the record no longer applies: nobody knows how it would have gone on.',
  },
  { outcome: 'same', title: 'Same', means: 'Every decision and every text is as it was.' },
  { outcome: 'skipped', title: 'Left out', means: 'There is nothing to replay.' },
]

/** Collects replayed turns and draws them as one HTML file that needs neither network nor script. Contract: all text is escaped. */
export class ReportPage {
  readonly #items: Record<ReplayOutcome, string[]> = { same: [], different: [], diverged: [], failed: [], skipped: [] }

  add(turn: ReplayedTurn): void {
    const items = this.#items[turn.outcome]
    if (items.length < shownTurns) items.push(turnItem(turn))
  }

  /** `tried`: the changes, in words. */
  html(tally: ReplayTally, tried: string, now: Date = new Date()): string {
    const parts = sections.map(section => this.#section(section, tally.outcomes[section.outcome]))
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Replay: ${tally.outcomes.different} different of ${tally.turns}</title>
<style>${reportStyle}</style>
</head>
<body>
<main>
<header>
<h1>Replay report</h1>
<p>${escapeHtml(outcomeSentence(tally))}</p>
<p class="quiet">Tried ${escapeHtml(tried)}, ${escapeHtml(now.toISOString().slice(0, 16).replace('T', ' '))} UTC. Recorded replies and results were used; no model of the agent and no tool was called.</p>
</header>
${cards(tally)}
${costs(tally)}
${decisions(tally)}
${parts.join('\n')}
</main>
</body>
</html>
`
  }

  #section({ outcome, title, means }: (typeof sections)[number], count: number): string {
    if (!count) return ''
    const items = this.#items[outcome]
    const rest = count > items.length ? `<p class="quiet">The first ${items.length} of ${count} are shown.</p>` : ''
    const list = `<p class="quiet">${escapeHtml(means)}</p>${rest}${items.join('\n')}`
    const isFolded = outcome === 'same' || outcome === 'skipped'
    const body = isFolded ? `<details><summary>Show ${items.length}</summary>${list}</details>` : list
    return `<section id="${outcome}"><h2>${title} <span class="count">${count}</span></h2>${body}</section>`
  }
}

const cards = ({ outcomes }: ReplayTally): string =>
  `<nav class="cards" aria-label="Outcomes">${sections
    .filter(({ outcome }) => outcomes[outcome] || outcome === 'same' || outcome === 'different')
    .map(({ outcome, title }) => {
      const card = `<strong>${outcomes[outcome]}</strong> ${title.toLowerCase()}`
      return outcomes[outcome]
        ? `<a class="card ${outcome}" href="#${outcome}">${card}</a>`
        : `<span class="card">${card}</span>`
    })
    .join('')}</nav>`

function costs({ before, after, outcomes, unverified }: ReplayTally): string {
  const comparable = outcomes.same + outcomes.different
  const row = (name: string, show: (usage: SummedUsage) => string) =>
    `<tr><th scope="row">${name}</th><td>${escapeHtml(show(before))}</td><td>${escapeHtml(show(after))}</td></tr>`
  const table = `<table><thead><tr><td></td><th scope="col">before</th><th scope="col">after</th></tr></thead><tbody>
${row('Cost', costText)}
${row('Tokens in', ({ inputTokens }) => formatCount(inputTokens))}
${row('Tokens out', ({ outputTokens }) => formatCount(outputTokens))}
</tbody></table>`
  const note = unverified
    ? `<p class="quiet">${unverified} ${unverified === 1 ? 'decision' : 'decisions'} could not be checked: the record has only what the hook left.</p>`
    : ''
  return `<section><h2>Costs before and after</h2><p class="quiet">Of the turns to whose end the record applied; turns that diverged cannot be compared.</p>${comparable ? table : '<p>No such turn.</p>'}${note}</section>`
}

function decisions({ decisions: all }: ReplayTally): string {
  if (!all.length) return ''
  const rows = all.map(
    ({ when, directive, by, at, turns }) =>
      `<tr><td>${turns}</td><td>${badge(when)}</td><td><code>${escapeHtml(directive)}</code></td><td><strong>${escapeHtml(by)}</strong></td><td><code>${escapeHtml(at)}</code></td></tr>`,
  )
  return `<section><h2>Decisions that differ</h2><div class="scroll"><table><thead><tr><th scope="col">turns</th><th scope="col">made</th><th scope="col">decision</th><th scope="col">by</th><th scope="col">at</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`
}

const badge = (when: 'then' | 'now'): string =>
  when === 'then' ? '<span class="badge gone">− only then</span>' : '<span class="badge come">+ only now</span>'

function turnItem(turn: ReplayedTurn): string {
  const { conversationId, turnId, startedAt, title } = turn
  const said = 'result' in turn ? textOf(turn.result.messages[0] as Message | undefined) : ''
  const name = title || brief(said, 80) || conversationId
  const when = startedAt ? `${new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')} · ` : ''
  return `<article><h3 dir="auto">${escapeHtml(name)}</h3><p class="quiet ids">${when}<code>${escapeHtml(conversationId)}</code> · <code>${escapeHtml(turnId)}</code></p>${turnBody(turn, said === name ? '' : said)}</article>`
}

function turnBody(turn: ReplayedTurn, said: string): string {
  if (turn.outcome === 'failed') return `<p class="bad">${text(turn.error.message)}</p>`
  if (turn.outcome === 'skipped') return `<p>${text(turn.reason)}</p>`
  const { differences, texts, divergence, usage, outcome } = turn
  if (outcome === 'same') return ''
  const asked = said && !texts.some(({ role }) => role === 'user') ? `<p class="said" dir="auto">${text(said)}</p>` : ''
  const made = differences.length ? `<ul class="plain">${differences.map(differenceItem).join('')}</ul>` : ''
  const cut = divergence
    ? `<p class="cut"><strong>From ${escapeHtml(divergence.where)} on the record no longer applies:</strong> ${text(divergence.reason)}</p>`
    : ''
  const before = { ...usage.before, unknownCalls: 0, cost: usage.before.cost ?? 0 }
  const after = { ...usage.after, unknownCalls: 0, cost: usage.after.cost ?? 0 }
  const spent =
    !divergence && usage.before.cost !== undefined && usage.after.cost !== undefined && before.cost !== after.cost
      ? `<p class="quiet">Cost ${escapeHtml(costText(before))} before, ${escapeHtml(costText(after))} after.</p>`
      : ''
  return `${asked}${made}${texts.map(textItem).join('')}${cut}${spent}`
}

const differenceItem = ({ when, directive, by, at, step, reason }: Difference): string =>
  `<li>${badge(when)} <code>${escapeHtml(directive)}</code> by <strong>${escapeHtml(by)}</strong> at <code>${escapeHtml(at)}</code>, step ${step}${reason ? `: <span dir="auto">${text(String(reason))}</span>` : ''}</li>`

const roles: Readonly<Record<string, string>> = {
  user: 'Message',
  assistant: 'Reply',
  tool: 'Result',
  system: 'System',
}

const textItem = ({ role, before, after }: TextDifference): string =>
  `<div class="texts"><figure><figcaption>${roles[role] ?? 'Text'} before</figcaption>${side(before)}</figure><figure><figcaption>${roles[role] ?? 'Text'} after</figcaption>${side(after)}</figure></div>`

const side = (given: string | undefined): string =>
  given === undefined ? '<p class="quiet">(none)</p>' : `<pre dir="auto">${text(given)}</pre>`

const brief = (given: string, length: number): string => {
  const line = given.trim().split('\n')[0] ?? ''
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}

/** A long text is cut, and says so. */
const text = (given: string): string =>
  given.length > shownText
    ? `${escapeHtml(given.slice(0, shownText))}<span class="quiet"> … ${given.length - shownText} more characters</span>`
    : escapeHtml(given)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** Foreign text for HTML: no markup, no control characters, no overrides of the writing direction. */
const escapeHtml = (given: string): string => cleanText(given).replace(/[&<>"']/g, char => entities[char] ?? '')
