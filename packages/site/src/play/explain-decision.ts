import type { Decision, DirectiveType } from 'turnbuckle'

/** The effect of a directive that won, in a sentence. A directive that has none here is told by its name. */
const effects: Readonly<Partial<Record<DirectiveType, string>>> = {
  skip: 'The stage did not run: the value of the hook is its result.',
  block: 'It did not run. The model reads the reason as the result.',
  replace: 'The result of the stage is what the hook gave.',
  stop: 'The turn ended here: nothing more began, and open calls were answered.',
  again: 'Another step, although the model was done. The model is told why.',
  finish: 'The turn ended as completed when the step closed.',
  goto: 'The step went on at another stage.',
  rewind: 'Back to an earlier point, and on from there on a new branch. The old one stays in the tree.',
  fail: 'The turn ended as failed.',
}

/** The order of the resolver, the strongest first. */
export const ranks: readonly DirectiveType[] = ['fail', 'stop', 'rewind', 'goto', 'again', 'finish']

/** The outcome of a directive, in a sentence. `others`: the decisions of the same turn. `isOpen`: its step has not closed yet. */
export function explainDecision(decision: Decision, others: readonly Decision[], isOpen = false): string {
  if (decision.won) return effects[decision.directive] ?? `${decision.directive} took effect.`
  if (isOpen) return 'Noted. The resolver reads it when the step closes.'
  const winner = others.find(other => other.won && other.step === decision.step && ranks.includes(other.directive))
  return winner
    ? `Noted, and spent: ${winner.directive} of ${winner.by} ranks higher.`
    : 'Noted, and not needed: the turn went on, or ended, without it.'
}
