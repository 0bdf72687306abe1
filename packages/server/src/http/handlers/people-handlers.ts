import { TurnbuckleError } from 'turnbuckle'
import { hasRight } from '../../access/rights.ts'
import { notFound } from '../../base/not-found.ts'
import type { Handlers } from '../contract.ts'
import type { CallHandlersOptions } from './call-handlers-options.ts'

type PeopleHandlersOptions = Pick<
  CallHandlersOptions,
  'people' | 'conversations' | 'audit' | 'connections' | 'settings'
>

type PeopleCalls =
  | 'getMe'
  | 'listPeople'
  | 'makePerson'
  | 'revokePerson'
  | 'shareWithPerson'
  | 'unshareWithPerson'
  | 'readAudit'

/** The calls about people: their tokens, what is shared with them, and what they did. */
export function createPeopleHandlers({
  people,
  conversations,
  audit,
  connections,
  settings,
}: PeopleHandlersOptions): Pick<Handlers, PeopleCalls> {
  return {
    getMe: ({ person }) => ({ name: person, role: people.roleOf(person) }),
    listPeople: () => ({ people: people.list }),
    async makePerson({ person, body }) {
      const made = await people.make(body, person)
      await audit.add({ by: person, act: 'person.made', what: made.name, decision: made.role })
      return made
    },
    async revokePerson({ person, params: { name = '' } }) {
      await people.revoke(name)
      connections.sweep()
      await audit.add({ by: person, act: 'person.revoked', what: name })
    },
    async shareWithPerson({ person, params: { id = '', name = '' }, body: { access } }) {
      await conversations.open(person, id, 'keepConversation')
      if (!people.find(name)) throw notFound('person', name)
      if (access === 'talk' && !hasRight(one => people.roleOf(one), name, 'talk'))
        throw new TurnbuckleError(
          'person.viewer',
          `${name} is a viewer here, and viewers only read. Share it with them to read, or have an owner make them a member.`,
        )
      await conversations.share(person, id, name, access)
      return { name, access }
    },
    async unshareWithPerson({ person, params: { id = '', name = '' } }) {
      await conversations.unshare(person, id, name)
      connections.sweep()
    },
    readAudit: async ({ query }) => ({ entries: await audit.list(query, settings?.trusted()) }),
  }
}
