import { middleware, stop } from 'turnbuckle'
import { describe, expectTypeOf, test } from 'vitest'
import type { OnPoint } from './hook-name.ts'
import type { HookSet } from './hook-set.ts'
import type { Definition, Hooks } from './hook-types.ts'
import type { BuiltIn } from './stage-fields.ts'

/** Hook points as their names are made: three of each stage, and those of no stage. */
type Named = `${'before' | 'wrap' | 'after'}${Capitalize<BuiltIn>}` | OnPoint

describe('hook points', () => {
  test('every hook has a point of a stage, or one of its own that the set of hooks keeps', () => {
    expectTypeOf<keyof Hooks<unknown>>().toEqualTypeOf<Named>()
    expectTypeOf<OnPoint>().toExtend<keyof HookSet>()
  })

  test('no setting of a middleware is named as a hook', () => {
    expectTypeOf<keyof Definition<unknown> & Named>().toBeNever()
  })
})

test('a hook that only watches may return anything but a directive', () => {
  const seen: unknown[] = []
  middleware({
    name: 'counts',
    onEvent: event => seen.push(event),
    onOpen: () => seen,
    onTrace: async () => ({ seen }),
  })
  middleware({ name: 'is-silent', onEvent() {}, onTrace: async () => {} })
  // @ts-expect-error onEvent cannot steer
  middleware({ name: 'steers', onEvent: () => stop('enough') })
  // @ts-expect-error onEvent cannot steer
  middleware({ name: 'steers', onEvent: async () => stop('enough') })
  // @ts-expect-error onTrace cannot steer
  middleware({ name: 'steers', onTrace: ({ error }) => (error ? stop('enough') : undefined) })
})
