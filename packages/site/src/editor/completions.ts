interface Word {
  readonly label: string
  readonly type: string
  readonly detail?: string
}

const hooks: readonly (readonly [string, string])[] = [
  ['beforeTurn', 'before anything else'],
  ['beforeModel', 'ctx.prompt is what will be sent'],
  ['wrapModel', '(ctx, next): each next() is an attempt'],
  ['afterModel', 'ctx.reply is the reply'],
  ['beforeTool', 'ctx.call is the call'],
  ['wrapTool', '(ctx, next): retry, cache, time'],
  ['afterTool', 'ctx.result, replace(value)'],
  ['afterDecide', 'ctx.goesOn; again(message)'],
  ['afterTurn', 'always runs'],
  ['onChunk', 'sees each piece before anyone else'],
  ['onError', 'a stage failed'],
]
const returns: readonly (readonly [string, string])[] = [
  ['block', 'does not run, and says why'],
  ['skip', 'does not run; the value is its result'],
  ['again', 'another step, and why'],
  ['stop', 'ends the turn'],
  ['replace', 'after hooks: another result'],
  ['finish', 'ends when the step closes'],
  ['goto', 'on at another stage'],
  ['rewind', 'back, and on a new branch'],
  ['fail', 'the turn ends as failed'],
]
const members: readonly (readonly [string, string])[] = [
  ['call', 'name and args'],
  ['prompt', 'messages, tools, instructions'],
  ['reply', 'the assistant message'],
  ['result', 'what the stage gave'],
  ['state', 'of this middleware'],
  ['update', '(state => next state)'],
  ['ask', "('permission', payload, { fallback })"],
  ['generate', '(model, prompt)'],
  ['instruct', 'for the next model call'],
  ['withdraw', 'takes shown text back'],
  ['messages', 'the path'],
  ['step', 'from 0'],
  ['status', 'done, skipped, failed, interrupted'],
  ['goesOn', 'the model asked for more'],
  ['signal', 'aborted when the turn is'],
  ['emit', 'an event of your own'],
]

const wordsOf = (pairs: readonly (readonly [string, string])[], type: string): Word[] =>
  pairs.map(([label, detail]) => ({ label, detail, type }))

const general = [...wordsOf(hooks, 'method'), ...wordsOf(returns, 'function')]
const ofContext = wordsOf(members, 'property')

/** The words that fit behind what is typed: members of the context behind `ctx.`, hooks and directives elsewhere. */
export const words = (typed: string): Word[] => {
  if (!typed.includes('.')) return general
  return typed.startsWith('ctx.') && typed.split('.').length === 2 ? ofContext : []
}
