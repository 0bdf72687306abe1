import type { Handlers } from '../contract.ts'
import type { CallHandlersOptions } from './call-handlers-options.ts'

type ScheduleCalls = 'addSchedule' | 'listSchedules' | 'cancelSchedule'

/** The calls about turns that begin at a time. */
export const createScheduleHandlers = ({
  conversations,
  people,
}: Pick<CallHandlersOptions, 'conversations' | 'people'>): Pick<Handlers, ScheduleCalls> => ({
  async addSchedule({ person, params: { id = '' }, body, key }) {
    await conversations.open(person, id, 'talk')
    return conversations.schedules.add(id, { ...body, by: person }, { key, until: people.find(person)?.expiresAt })
  },
  async listSchedules({ person, params: { id = '' } }) {
    await conversations.open(person, id, 'readConversation')
    return { schedules: await conversations.schedules.list(id) }
  },
  async cancelSchedule({ person, params: { id = '', scheduleId = '' } }) {
    await conversations.open(person, id, 'talk')
    await conversations.schedules.cancel(id, scheduleId, person)
  },
})
