import { asMessage } from '../base/message.ts'
import type { Stage } from './stage.ts'

/** A hook's own model call. Its body is put in by whoever opens it: it knows which model. */
export const generate: Stage = {
  name: 'generate',
  description: "a hook's own model call",
  longRunning: true,
  body: () => undefined,
  read: (value, { turn }) => asMessage(value ?? '', 'assistant', `${turn.id}.g${turn.asks++}`),
}
