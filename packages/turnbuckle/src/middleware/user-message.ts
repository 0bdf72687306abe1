import type { Message } from '../core/base/message.ts'

/** What a hook's own model call is asked. `id` tells it from others in a trace. */
export const userMessage = (id: string, text: string): Message => ({
  id,
  role: 'user',
  content: [{ type: 'text', text }],
})
