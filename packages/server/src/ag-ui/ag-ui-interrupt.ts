import type { Event } from 'turnbuckle'

interface Asked {
  readonly id?: unknown
  readonly name?: unknown
  readonly question?: unknown
  readonly schema?: unknown
}

const permissionSchema = {
  type: 'object',
  properties: {
    decision: { type: 'string', enum: ['allow', 'deny'] },
    scope: { type: 'string', enum: ['once', 'conversation', 'project', 'always'] },
    reason: { type: 'string' },
  },
  required: ['decision'],
}

/** A request to a person as AG-UI's interrupt, which ends the run; the next run's `resume` answers it. */
export function agUiInterrupt({
  requestId: id,
  kind,
  payload,
  deadline,
  schema,
}: Extract<Event, { type: 'request.opened' }>): object {
  const asked = (payload ?? {}) as Asked
  return {
    id,
    ...(kind === 'permission' ? permission(asked, schema) : question(kind, asked)),
    ...(deadline ? { expiresAt: new Date(deadline).toISOString() } : {}),
    metadata: { kind, payload },
  }
}

const permission = ({ id, name }: Asked, schema: object = permissionSchema): object => ({
  reason: 'tool_approval',
  message: `May ${String(name)} run?`,
  ...(typeof id === 'string' ? { toolCallId: id } : {}),
  responseSchema: schema,
})

const question = (kind: string, { question: text, schema }: Asked): object => ({
  reason: kind,
  message: typeof text === 'string' ? text : `The agent asks: ${kind}`,
  ...(typeof schema === 'object' && schema ? { responseSchema: schema } : {}),
})
