import { createAgent, middleware, textOf, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import type { Message } from '../base/message.ts'
import { isOnPath, nodeAt, pathOf, Tree, type TreeNode } from './tree.ts'

const echo = tool({ name: 'echo', run: args => args })
const oneCall = () => scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'Done', 'More'])

describe('the tree', () => {
  test('messages are the path; nodes know parent, turn and cost', async () => {
    const usage = { inputTokens: 5, outputTokens: 2, cost: 0.5 }
    const chat = createAgent({ model: scriptedModel([{ text: 'Hi', usage }]) }).conversation()
    const turn = chat.send('Go')
    await turn
    const [first, second] = chat.tree
    expect(first).toMatchObject({ parentId: undefined, turnId: turn.id, message: { role: 'user' } })
    expect(second).toMatchObject({ parentId: first?.id, turnId: turn.id, usage, cost: 0.5 })
    expect(chat.head).toBe(second?.id)
    expect(chat.messages).toEqual(chat.tree.map(({ message }) => message))
  })

  test('siblings are isolated', async () => {
    const chat = createAgent({ model: scriptedModel(['A', 'B', 'C']) }).conversation()
    await chat.send('One')
    const start = chat.tree[0]?.id
    const fork = chat.fork(start)
    await fork.send('Other')
    await chat.send('Two')
    expect(chat.messages.map(textOf)).toEqual(['One', 'A', 'Two', 'C'])
    expect(fork.messages.map(textOf)).toEqual(['One', 'Other', 'B'])
    expect(chat.tree).toHaveLength(6)
    expect(fork.tree).toEqual(chat.tree)
  })
})

describe('a message that was recorded is not changed in place', () => {
  const rewrite = ([message]: readonly unknown[]): void => {
    const [part] = (message as { content: [{ text: string }] }).content
    part.text = 'Rewritten'
  }

  test.each([
    { by: 'a hook, in the prompt', use: middleware({ name: 'odd', beforeModel: ctx => rewrite(ctx.prompt.messages) }) },
    { by: 'a hook, in the history', use: middleware({ name: 'odd', afterTool: ctx => rewrite([...ctx.messages]) }) },
    { by: 'a hook, in one', use: middleware({ name: 'odd', afterTool: ctx => rewrite([ctx.messages.at(0)]) }) },
    { by: 'a tool', run: (_args: unknown, ctx: { path: readonly unknown[] }) => rewrite(ctx.path) },
  ])('by $by', async ({ use, run = () => 'ok' }) => {
    const agent = createAgent({ model: oneCall(), tools: [tool({ name: 'echo', run })], use: use ? [use] : [] })
    const chat = agent.conversation()
    await chat.send('Go').settled
    expect(chat.messages.map(textOf)[0]).toBe('Go')
  })

  test('by whoever reads the conversation', async () => {
    const chat = createAgent({ model: oneCall(), tools: [echo] }).conversation()
    await chat.send('Go')
    expect(() => rewrite(chat.messages)).toThrow(TypeError)
    expect(textOf(chat.messages[0])).toBe('Go')
  })
})

describe('Tree', () => {
  const said = (id: string): Message => ({ id, role: 'user', content: [{ type: 'text', text: id }] })
  const grow = (tree: Tree, parent: TreeNode | undefined, ...ids: string[]) =>
    ids.reduce((tip, id) => tree.add(tip, said(id), undefined, 0), parent)
  const path = (tip: TreeNode | undefined) => pathOf(tip).map(({ id }) => id)

  test('branches share what lies before them, and nothing else', () => {
    const tree = new Tree()
    const trunk = grow(tree, undefined, 'a', 'b', 'c')
    const branch = grow(tree, tree.find('b'), 'd', 'e')
    expect([path(trunk), path(branch)]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'd', 'e'],
    ])
    expect([branch?.depth, branch?.parentId, tree.find('d')?.parentId]).toEqual([4, 'd', 'b'])
  })

  test('a node is found by its place on a path, and only there', () => {
    const tree = new Tree()
    const trunk = grow(tree, undefined, 'a', 'b', 'c')
    const branch = grow(tree, tree.find('b'), 'd')
    expect([0, 1, 2, 3].map(at => nodeAt(branch, at)?.id)).toEqual(['a', 'b', 'd', undefined])
    expect(nodeAt(tree.find('b'), 2)).toBeUndefined()
    expect(trunk && isOnPath(trunk, branch)).toBe(false)
  })

  test('a taken id gets the first free number behind it, unless its node may be used again', () => {
    const tree = new Tree()
    const a = grow(tree, undefined, 'a', 'a~1')
    expect([tree.place('b'), tree.place('a')]).toEqual(['b', 'a~2'])
    expect(tree.place('a', node => node === a)).toBe(a)
  })

  test('a grafted stretch reads what lies before it only when somebody asks', () => {
    const tree = new Tree()
    const asked: string[] = []
    const before = grow(new Tree(), undefined, 'a')
    tree.source = id => {
      asked.push(id)
      return id === 'a' ? before : undefined
    }
    const recorded = { turnId: undefined, createdAt: 0, usage: undefined, state: undefined, hidden: false }
    const tip = tree.graft([{ ...recorded, message: said('b') }], 1, 'a')
    expect([tip?.depth, asked]).toEqual([2, []])
    expect([path(tip), asked]).toEqual([['a', 'b'], ['a']])
  })
})
