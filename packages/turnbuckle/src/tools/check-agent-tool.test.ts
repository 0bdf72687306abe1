import { agentTool, createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const helper = createAgent({ model: scriptedModel(['Done.']) })
/** As JavaScript calls it, with whatever it was given. */
const make = agentTool as (...given: unknown[]) => unknown

test.each<{ what: string; given: readonly unknown[]; says: RegExp }>([
  {
    what: 'no options',
    given: [helper],
    says: /needs options with a name: agentTool\(agent, \{ name: "research" \}\)/,
  },
  { what: 'a name in place of options', given: [helper, 'research'], says: /needs options with a name/ },
  { what: 'no agent', given: [undefined, { name: 'x' }], says: /needs an agent: agentTool\(createAgent/ },
  { what: 'options of an agent', given: [{ model: {} }, { name: 'x' }], says: /needs an agent/ },
  { what: 'no name', given: [helper, {}], says: /"undefined" cannot name a tool/ },
  {
    what: 'a misspelled option',
    given: [helper, { name: 'x', budgt: {} }],
    says: /no "budgt"\. Did you mean "budget"\?/,
  },
  {
    what: 'a budget that is a number',
    given: [helper, { name: 'x', budget: 5 }],
    says: /budget must be \{ tokens\?, cost\?, ms\? \}, not 5/,
  },
  {
    what: 'a misspelled budget',
    given: [helper, { name: 'x', budget: { token: 5 } }],
    says: /budget of agentTool has no "token"\. Did you mean "tokens"\?/,
  },
  {
    what: 'a budget in words',
    given: [helper, { name: 'x', budget: { ms: '5s' } }],
    says: /ms must be a number of at least 0, not "5s"/,
  },
  {
    what: 'a limit that never trips',
    given: [helper, { name: 'x', maxSteps: Number.NaN }],
    says: /maxSteps must be a number of at least 0, not NaN/,
  },
  {
    what: 'one name in place of a list',
    given: [helper, { name: 'x', deny: 'shell' }],
    says: /deny must be a list of names and regular expressions, not "shell"/,
  },
  {
    what: 'a result that is no function',
    given: [helper, { name: 'x', result: 'text' }],
    says: /result must be a function/,
  },
])('agentTool with $what is refused by an error that names the fix', ({ given, says }) => {
  expect(() => make(...given)).toThrow(
    expect.objectContaining({ name: 'TurnbuckleError', message: expect.stringMatching(says) }),
  )
})

test('an option that is undefined is as if it were not there', () => {
  const options = { name: 'help', budget: undefined, maxSteps: undefined, allow: undefined }
  expect(make(helper, options)).toMatchObject({ name: 'help' })
})
