import { createAgent, type Middleware, middleware, stop } from 'turnbuckle'
import { pii } from 'turnbuckle/middleware'
import { memoryStore, replay } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { summaryLines, turnLines } from './replay-lines.ts'
import { ReplayTally } from './replay-tally.ts'
import { ReportPage } from './report-page.ts'

const usage = { inputTokens: 1200, outputTokens: 30, cost: 0.5 }

/** Records a turn for each message, each answered with the same text, and replays all of them. */
async function report(says: readonly string[], use: readonly Middleware[], reply = 'Hi.', had: Middleware[] = []) {
  const store = memoryStore()
  const agent = createAgent({ model: scriptedModel([{ text: reply, usage }], { repeat: true }), store, use: had })
  for (const [i, message] of says.entries()) await agent.conversation(`c${i}`).send(message)
  const [tally, page, lines] = [new ReplayTally(), new ReportPage(), [] as string[]]
  for await (const turn of replay(store, 'all', { use })) {
    tally.add(turn)
    page.add(turn)
    lines.push(...turnLines(turn))
  }
  return { tally, html: page.html(tally, './hook.ts', new Date(0)), lines: [...lines, ...summaryLines(tally)] }
}

const noPets = middleware({
  name: 'no-pets',
  beforeTurn: ({ message }) => (JSON.stringify(message).includes('cat') ? stop('<b>no cats</b>') : undefined),
})

test('tells outcomes, decisions with their author, and costs before and after', async () => {
  const { html, tally, lines } = await report(['My cat.', 'My house.'], [noPets])
  expect(tally).toMatchObject({
    outcomes: { same: 1, different: 1 },
    exitCode: 1,
    before: { cost: 1 },
    after: { cost: 0.5 },
  })
  expect(html).toContain('2 turns in 2 conversations: 1 same, 1 different.')
  expect(html).toMatch(/<code>stop<\/code> by <strong>no-pets<\/strong> at <code>beforeTurn<\/code>/)
  expect(html).toMatch(/Cost<\/th><td>\$1.00<\/td><td>\$0.50<\/td>/)
  expect(lines.at(-1)).toBe(
    'Before: 2.4k tokens in, 60 out, $1.00. After: 1.2k tokens in, 30 out, $0.50. (Turns that did not diverge.)',
  )
})

test('is one file that needs no script and no network, and no text in it is markup', async () => {
  const evil = '<script>alert(1)</script><img src=x onerror="alert(2)">\u202e cat \' &'
  const { html } = await report([evil], [noPets], evil)
  expect(html).not.toMatch(/<script|<img|<b>|\u202e|onerror="/)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).toContain('&lt;b&gt;no cats&lt;/b&gt;')
  expect(html).toContain("default-src 'none'")
  expect(html.replaceAll('src=x', '')).not.toMatch(/src=|url\(|@import|https?:/)
})

test('shows texts before and after, and where the record ends', async () => {
  const { html, tally } = await report(['Hello.'], pii(), 'Write to joe@example.com.')
  expect(tally.outcomes).toMatchObject({ different: 1 })
  expect(html).toMatch(/Reply before<\/figcaption><pre dir="auto">Write to joe@example.com\./)
  expect(html).toMatch(/Reply after<\/figcaption><pre dir="auto">Write to \[email\]\./)
  const diverged = await report(['I am joe@example.com'], pii())
  expect(diverged.tally).toMatchObject({ outcomes: { diverged: 1 }, exitCode: 3 })
  expect(diverged.html).toContain('From model call 0 on the record no longer applies')
})

test('shows the first 500 turns of an outcome and counts the rest', async () => {
  const { conversationId, ...turn } = { conversationId: 'c', title: 'Talk', turnId: 't', startedAt: 0 }
  const [tally, page] = [new ReplayTally(), new ReportPage()]
  for (let i = 0; i < 600; i++) {
    const failed = {
      ...turn,
      conversationId: `${conversationId}${i}`,
      outcome: 'failed',
      error: new Error('torn'),
    } as const
    tally.add(failed)
    page.add(failed)
  }
  const html = page.html(tally, 'pii')
  expect(html.match(/<article>/g)).toHaveLength(500)
  expect(html).toContain('The first 500 of 600 are shown.')
  expect(tally.exitCode).toBe(2)
})

test('a long text is cut and says so', async () => {
  const { html } = await report([`cat ${'x'.repeat(5000)}`], [noPets])
  expect(html).toContain('more characters')
  expect(html.length).toBeLessThan(12_000)
})

test('an empty store is a report too', async () => {
  const { html, lines, tally } = await report([], [noPets])
  expect(lines).toEqual(['0 turns in 0 conversations: 0 same.'])
  expect(html).toContain('0 turns')
  expect(tally.exitCode).toBe(0)
})
