export interface AnswerChoice {
  readonly decision: 'allow' | 'deny'
  readonly scope: string
}

/** The letters that answer a permission question, with the decision and its scope. A yes for longer than once is confirmed. */
export const answerChoices: Readonly<Record<string, AnswerChoice>> = {
  y: { decision: 'allow', scope: 'once' },
  Y: { decision: 'allow', scope: 'conversation' },
  p: { decision: 'allow', scope: 'project' },
  a: { decision: 'allow', scope: 'always' },
  N: { decision: 'deny', scope: 'conversation' },
}

/** Scopes in words: `always, without asking again`. */
export const scopeWords: Readonly<Record<string, string>> = {
  conversation: 'in this conversation',
  project: 'in this project, from now on',
  always: 'always, in every project',
}
