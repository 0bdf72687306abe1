import type { Call } from '../base/message.ts'

/** The payload of a question about a call that no answer can cover for longer than once: as `approval` has it. */
export const permissionQuestion = ({ id, name, args }: Call, description: string): object => ({
  id,
  name,
  args,
  tool: { description },
  patterns: [],
  covers: [],
  scopes: ['once'],
})
