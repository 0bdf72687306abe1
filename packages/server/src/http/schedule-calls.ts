import { z } from 'zod'
import type { Call } from './call.ts'
import { newSchedule, schedule } from './wire-schemas.ts'

const noConversation = 'conversation.missing'

/** The calls about turns that begin at a time. */
export const scheduleCalls = {
  addSchedule: {
    method: 'post',
    path: '/api/conversations/:id/schedules',
    act: 'talk',
    summary: 'Send a message at a time, or again and again. Only a server with an engine can',
    keyed: true,
    body: newSchedule,
    status: 201,
    answer: schedule,
    errors: { 404: noConversation, 422: 'schedule.unsupported, schedule.tooMany, idempotency.mismatch' },
  },
  listSchedules: {
    method: 'get',
    path: '/api/conversations/:id/schedules',
    act: 'readConversation',
    summary: 'The schedules of a conversation, the next turn first',
    status: 200,
    answer: z.object({ schedules: z.array(schedule) }),
    errors: { 404: noConversation },
  },
  cancelSchedule: {
    method: 'delete',
    path: '/api/conversations/:id/schedules/:scheduleId',
    act: 'talk',
    summary: 'Cancel a schedule. Turns of it that have begun go on',
    status: 204,
    errors: { 404: `${noConversation}, schedule.missing` },
  },
} as const satisfies Readonly<Record<string, Call>>
