import { createAgent } from 'turnbuckle'
import { critic } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

test.each(['ACCEPT. Actually, REJECT.', 'ACCEPT\nREJECT', 'Accept - no. REJECT'])(
  'a judge that says %j has not accepted',
  async said => {
    const judge = scriptedModel([said, 'ACCEPT'])
    const turn = createAgent({ model: scriptedModel(['one', 'two']), use: [critic(judge)] }).send('x')
    const decisions: unknown[] = []
    for await (const event of turn) if (event.type === 'critic.judged') decisions.push(event.decision)
    await turn.settled
    expect(decisions[0]).not.toBe('accept')
  },
)
