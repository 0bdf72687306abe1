import { tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { onRestate } from './on-restate.ts'

const asks = { calls: [{ name: 'mark', id: 'c1' }] }

test.runIf(process.platform === 'linux')(
  'a question that nobody answers goes on to the next person and then to its fallback, by timers of the engine',
  async () => {
    const ran: string[] = []
    const mark = tool({ name: 'mark', run: () => void ran.push('mark') })
    const ask = approval({ escalate: [{ after: 2000, to: 'ben' }], timeout: 2000, fallback: 'deny' })
    const model = scriptedModel([asks, 'Not marked.'])
    const { worker, call, events } = await onRestate({ model, tools: [mark], use: [ask] })
    const { id = '' } = await call('POST', '/api/conversations')
    await call('POST', `/api/conversations/${id}/turns`, { text: 'Go' })
    const types = async () =>
      (await events(id)).map(({ type }) => type).filter(type => /^request|^turn\.completed/.test(type))
    // No process has the question while it is open.
    await expect.poll(async () => [await types(), worker.running]).toEqual([['request.opened'], 0])
    await expect
      .poll(types)
      .toEqual(['request.opened', 'request.expired', 'request.opened', 'request.expired', 'turn.completed'])
    const opened = (await events(id)).flatMap(event => (event.type === 'request.opened' ? [event] : []))
    expect(opened.map(({ to }) => to)).toEqual([undefined, ['ben']])
    expect(ran).toEqual([])
  },
)
