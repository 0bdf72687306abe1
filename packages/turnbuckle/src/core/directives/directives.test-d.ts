import type * as turnbuckle from 'turnbuckle'
import type { Directive, DirectiveType } from 'turnbuckle'
import { expectTypeOf, test } from 'vitest'

test('every directive is made by a public function of its name', () => {
  expectTypeOf<typeof turnbuckle>().toExtend<Record<DirectiveType, (...args: never[]) => Directive>>()
})
