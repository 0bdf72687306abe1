import { createAgent, type Middleware, middleware } from 'turnbuckle'
import { type CreateAgent, hookConformance } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

describe('the core', () => {
  hookConformance(createAgent, test)
})

describe('the suite itself', () => {
  test('every path and stage has a case', () => {
    expect(hookConformance(createAgent)).toHaveLength(99)
  })

  test.each([
    { what: 'after hooks that are lost', hook: 'afterTool', calls: 0 },
    { what: 'before hooks that are called twice', hook: 'beforeModel', calls: 2 },
    { what: 'wraps that are left out', hook: 'wrapDecide', calls: 0 },
  ])('an agent with $what does not pass', async ({ hook, calls }) => {
    const broken: CreateAgent = options =>
      createAgent({
        ...options,
        use: (options.use ?? []).flat(9).map(each => {
          const owner = each as Middleware
          const original = owner.hooks[hook]
          if (owner.name !== 'outer' || !original) return owner
          const changed = (...args: never[]) => {
            let returned: unknown
            for (let i = 0; i < calls; i++) returned = original(...args)
            return calls ? returned : (args[1] as (() => unknown) | undefined)?.()
          }
          return { ...middleware({ name: 'outer' }), ...owner, hooks: { ...owner.hooks, [hook]: changed } }
        }),
      })
    const failed: string[] = []
    for (const { title, run } of hookConformance(broken)) await run().catch(() => failed.push(title))
    expect(failed.some(title => title.startsWith('plain') && title.includes(hook))).toBe(true)
  })
})
