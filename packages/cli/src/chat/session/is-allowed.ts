/** True for the answer of a yes-or-no question that says yes. */
export const isAllowed = (given: unknown): boolean => (given as { decision?: unknown }).decision === 'allow'
