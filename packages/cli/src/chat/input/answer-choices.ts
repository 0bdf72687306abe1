export interface AnswerChoice {
  readonly decision: 'allow' | 'deny'
  readonly scope: string
}

/** The letters that answer a permission question at once, with the decision and its scope. */
export const answerChoices: Readonly<Record<string, AnswerChoice>> = {
  y: { decision: 'allow', scope: 'once' },
  Y: { decision: 'allow', scope: 'conversation' },
  p: { decision: 'allow', scope: 'project' },
  a: { decision: 'allow', scope: 'always' },
  N: { decision: 'deny', scope: 'conversation' },
}
