import type { AnyContext } from './acts.ts'

/** Which members of a context a hook may read, by stage and point. */
const before: Readonly<Record<string, readonly string[]>> = {
  turn: ['message'],
  input: ['message'],
  model: ['prompt'],
  detect: ['reply'],
  append: ['message'],
  tools: ['calls', 'reply'],
  tool: ['call'],
  decide: ['reply', 'goesOn'],
  generate: ['prompt'],
}
const after: Readonly<Record<string, readonly string[]>> = {
  turn: ['message', 'result'],
  input: ['message', 'result'],
  step: ['reply', 'goesOn'],
  model: ['prompt', 'reply', 'result'],
  detect: ['reply', 'calls', 'result'],
  append: ['message', 'result'],
  tools: ['calls', 'results', 'result'],
  tool: ['call', 'result'],
  decide: ['reply', 'goesOn'],
  generate: ['prompt', 'reply', 'result'],
}
const always = ['stage', 'step', 'resumed', 'state']

/** All that a hook can see, as plain data. */
export function see(hook: string, ctx: AnyContext): object {
  const { stage } = ctx
  const after_ = hook.startsWith('after')
  const own = hook.startsWith('on') ? [] : ((after_ ? after : before)[stage] ?? ['input'])
  const names = [...always, ...own, ...(after_ ? ['status', 'entered', 'error'] : [])]
  const seen: Record<string, unknown> = {}
  for (const name of names) seen[name] = shown(name, Reflect.get(ctx, name))
  const { text, reply, calls, results, errors, finishReason, usage } = ctx.draft ?? {}
  seen.draft = {
    text,
    reply: reply?.id,
    calls: calls?.length,
    results: results?.length,
    errors: errors?.length,
    finishReason,
    usage,
  }
  seen.path = ctx.messages.map(({ id }) => id)
  seen.aborted = ctx.signal.aborted
  return seen
}

function shown(name: string, value: unknown): unknown {
  if (name !== 'prompt' || !value) return value
  const { messages, instructions, params, tools } = value as NonNullable<AnyContext['prompt']>
  return {
    messages: messages.map(({ id, role, content }) => [id, role, content.length]),
    instructions,
    params,
    tools: tools.length,
  }
}
