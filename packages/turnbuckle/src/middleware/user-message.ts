import type { Message } from '../core/base/message.ts'

/** The message that a hook's own model call sends. `id` tells it from others in a trace. */
export const userMessage = (id: string, text: string): Message => ({
  id,
  role: 'user',
  content: [{ type: 'text', text }],
})
