import { type Middleware, middleware, TurnbuckleError } from 'turnbuckle'
import type { NewTurn } from 'turnbuckle/client'
import { z } from 'zod'
import { type ClientResult, clientTools, clientToolsOf } from '../clients/client-tools.ts'
import { chosenId, sentTools } from '../http/client-routes.ts'

const part = z.looseObject({ type: z.string() })
const message = z.looseObject({
  id: z.string().max(300).optional(),
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
  toolCallId: z.string().nullish(),
  error: z.string().nullish(),
})

const resumeList = z.array(
  z.looseObject({
    interruptId: z.string(),
    status: z.enum(['resolved', 'cancelled']),
    payload: z.unknown().optional(),
  }),
)

/** The body of an AG-UI run. */
export const runInput = z.looseObject({
  threadId: chosenId,
  runId: z.string().min(1).max(300),
  /** Clients tell it from 1.0.0 on. */
  protocolVersion: z.unknown().optional(),
  messages: z.array(message).default([]),
  tools: sentTools.nullish(),
  context: z.array(z.looseObject({ description: z.string(), value: z.string() })).nullish(),
  state: z.unknown().optional(),
  forwardedProps: z.unknown().optional(),
  resume: resumeList.nullish(),
})
export type RunInput = z.output<typeof runInput>

export type Resume = z.output<typeof resumeList>

/** The answers to interrupts that the run brings. Old clients (0.0.45) know no `resume`: they have it in `forwardedProps`. */
export function resumeOf({ resume, forwardedProps }: RunInput): Resume {
  if (resume?.length) return resume
  const { resume: forwarded } = (forwardedProps ?? {}) as { readonly resume?: unknown }
  return resumeList.safeParse(forwarded).data ?? []
}

/** The turn that the run's last message starts. */
export function newTurnOf({ messages }: RunInput): NewTurn {
  const last = messages.at(-1)
  if (last?.role !== 'user')
    throw new TurnbuckleError(
      'body.invalid',
      'The last message must be the user’s, or the result of a call of your own tool, or resume given.',
    )
  if (typeof last.content === 'string') return { text: last.content }
  const parts = (last.content ?? []) as readonly {
    type: string
    text?: string
    source?: { type: string; value?: string; mimeType?: string }
  }[]
  const attachments = parts.flatMap(({ source }) =>
    source?.type === 'data' && source.value
      ? [{ mediaType: source.mimeType ?? 'application/octet-stream', data: source.value }]
      : [],
  )
  return { text: parts.map(({ text = '' }) => text).join(''), ...(attachments.length ? { attachments } : {}) }
}

/** The results that the client brings of its own tools: the last messages, behind the call. */
export function resultsOf({ messages }: RunInput): readonly ClientResult[] {
  const before = messages.findLastIndex(({ role }) => role !== 'tool')
  return messages.slice(before + 1).map(({ toolCallId, content, error }) => {
    const value = typeof content === 'string' ? content : JSON.stringify(content ?? null)
    return { callId: toolCallId ?? '', status: error ? 'error' : 'ok', value: error || value }
  })
}

/** The run's own middleware: the client's tools, its context and its state. */
export function useOf({ tools, context, state, forwardedProps }: RunInput): Middleware[] {
  const own = clientToolsOf(tools)
  const isEmpty = state == null || (typeof state === 'object' && !Object.keys(state).length)
  const text = [
    ...(context?.length ? ['Context that the application gives:'] : []),
    ...(context ?? []).map(({ description, value }) => `- ${description}: ${value}`),
    ...(isEmpty ? [] : [`The application’s state: ${JSON.stringify(state)}`]),
  ].join('\n')
  return [
    ...(own.length ? [clientTools(own)] : []),
    middleware({
      name: 'ag-ui',
      beforeTurn(ctx) {
        ctx.shared.set('ag-ui', {
          context: context ?? [],
          state: state ?? null,
          forwardedProps: forwardedProps ?? null,
        })
        if (text) ctx.instruct(text, { for: 'turn' })
      },
    }),
  ]
}
