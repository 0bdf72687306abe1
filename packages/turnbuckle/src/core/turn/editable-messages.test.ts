import { type Context, createAgent, middleware, TurnbuckleError } from 'turnbuckle'
import { checkHistory, sequentialIds } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { look, texts, twoSteps } from '../../../test/support/looking.ts'

describe('messages', () => {
  /** What the history looks like when a hook has edited it before the second step. */
  async function edited(edit: (ctx: Context) => void) {
    const editor = middleware({
      name: 'editor',
      beforeStep(ctx) {
        if (ctx.step === 1) edit(ctx)
      },
    })
    const model = twoSteps()
    const chat = createAgent({ model, tools: [look], use: [editor], ids: sequentialIds() }).conversation({
      messages: [
        { id: 'old1', role: 'user', content: 'Before' },
        { id: 'old2', role: 'assistant', content: 'Yes?' },
      ],
    })
    const turn = chat.send('Go')
    const result = await turn.settled
    return { chat, result, model, turn, prompt: model.prompts[1]?.messages ?? [] }
  }

  test('are read by index, from either end, and as an iterable', async () => {
    const { result } = await edited(ctx => {
      expect(ctx.messages).toHaveLength(5)
      expect(ctx.messages.at(0)?.id).toBe('old1')
      expect(ctx.messages.at(-1)?.role).toBe('tool')
      expect(ctx.messages.at(9)).toBeUndefined()
      expect([...ctx.messages].map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'tool'])
      expect(ctx.messages.find(({ id }) => id === 'old2')?.role).toBe('assistant')
      expect(ctx.messages.filter(({ role }) => role === 'user')).toHaveLength(2)
    })
    expect(result.error).toBeUndefined()
  })

  test.each<{ what: string; edit: (ctx: Context) => void; path: string[] }>([
    {
      what: 'append',
      edit: ctx => ctx.messages.append({ role: 'user', content: 'More' }),
      path: ['Before', 'Yes?', 'Go', 'Looking.', '', 'More'],
    },
    {
      what: 'insert',
      edit: ctx => ctx.messages.insert(0, { role: 'system', content: 'First' }),
      path: ['First', 'Before', 'Yes?', 'Go', 'Looking.', ''],
    },
    { what: 'remove', edit: ctx => ctx.messages.remove('old2'), path: ['Before', 'Go', 'Looking.', ''] },
    {
      what: 'replace',
      edit: ctx => ctx.messages.replace('old1', { role: 'user', content: 'Redacted' }),
      path: ['Redacted', 'Yes?', 'Go', 'Looking.', ''],
    },
    {
      what: 'reorder',
      edit: ctx => {
        const [a, b, ...rest] = ctx.messages.map(({ id }) => id)
        ctx.messages.reorder([b ?? '', a ?? '', ...rest])
      },
      path: ['Yes?', 'Before', 'Go', 'Looking.', ''],
    },
  ])('$what makes a branch; the old path stays', async ({ edit, path }) => {
    const { chat, prompt, turn } = await edited(edit)
    expect(texts(prompt)).toEqual(path)
    expect(texts(chat.messages)).toEqual([...path, 'Done'])
    expect(checkHistory(chat.messages)).toEqual([])
    // The old path is still there, whole.
    const old = chat.tree.find(({ message }) => message.role === 'tool')?.id
    expect(texts(chat.fork(old).messages)).toEqual(['Before', 'Yes?', 'Go', 'Looking.', ''])
    const edits: unknown[] = []
    for await (const event of turn) if (event.type === 'history.edited') edits.push(event.by)
    expect(edits).toEqual(['editor'])
    expect(new Set(chat.tree.map(({ id }) => id)).size).toBe(chat.tree.length)
  })

  test.each<{ what: string; edit: (ctx: Context) => void; code: string }>([
    { what: 'removing a call', edit: ctx => ctx.messages.remove(ctx.messages.at(3)?.id ?? ''), code: 'history.orphan' },
    {
      what: 'removing a result',
      edit: ctx => ctx.messages.remove(ctx.messages.at(4)?.id ?? ''),
      code: 'history.orphan',
    },
    {
      what: 'a message between call and result',
      edit: ctx => ctx.messages.insert(4, { role: 'user', content: 'x' }),
      code: 'history.orphan',
    },
    {
      what: 'a result for nothing',
      edit: ctx =>
        ctx.messages.append({
          role: 'tool',
          content: [{ type: 'result', id: 'z', name: 'look', status: 'ok', value: 1 }],
        }),
      code: 'history.orphan',
    },
    {
      what: 'a call without a result',
      edit: ctx =>
        ctx.messages.append({ role: 'assistant', content: [{ type: 'call', id: 'z', name: 'look', args: {} }] }),
      code: 'history.orphan',
    },
    {
      what: 'a new order that parts call and result',
      edit: ctx => ctx.messages.reorder(ctx.messages.map(({ id }) => id).toReversed()),
      code: 'history.orphan',
    },
    { what: 'an order with a message missing', edit: ctx => ctx.messages.reorder(['old1']), code: 'history.order' },
    {
      what: 'an index out of range',
      edit: ctx => ctx.messages.insert(99, { role: 'user', content: 'x' }),
      code: 'history.index',
    },
    { what: 'an unknown id', edit: ctx => ctx.messages.remove('nobody'), code: 'history.missing' },
  ])('$what is refused', async ({ edit, code }) => {
    let refusal: unknown
    const { chat } = await edited(ctx => {
      try {
        edit(ctx)
      } catch (error) {
        refusal = error
      }
    })
    expect(refusal).toBeInstanceOf(TurnbuckleError)
    expect(refusal).toMatchObject({ code })
    expect(texts(chat.messages)).toEqual(['Before', 'Yes?', 'Go', 'Looking.', '', 'Done'])
  })

  test('a whole exchange can be removed: the call first together with its result', async () => {
    const { result } = await edited(ctx => {
      const rest = ctx.messages.toArray()
      ctx.messages.replace(rest[3]?.id ?? '', {
        role: 'assistant',
        content: [...(rest[3]?.content ?? []), ...(rest[4]?.content ?? [])],
      })
    })
    // The result that is left stands alone: refused, and the hook fails its stage.
    expect(result).toMatchObject({ status: 'failed', by: 'editor' })
  })

  test('are refused while calls run, but for what lies before them', async () => {
    const codes: unknown[] = []
    const editor = middleware({
      name: 'editor',
      beforeTool(ctx) {
        ctx.messages.replace(ctx.messages.at(0)?.id ?? '', { role: 'user', content: 'Earlier' })
        try {
          ctx.messages.append({ role: 'user', content: 'Now' })
        } catch (error) {
          codes.push((error as TurnbuckleError).code)
        }
      },
    })
    const chat = createAgent({ model: twoSteps(), tools: [look], use: [editor] }).conversation()
    await chat.send('Go')
    expect(codes).toEqual(['history.orphan'])
    expect(texts(chat.messages)).toEqual(['Earlier', 'Looking.', '', 'Done'])
    expect(checkHistory(chat.messages)).toEqual([])
  })
})
