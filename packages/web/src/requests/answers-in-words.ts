import type { CallAnswer } from 'turnbuckle/client'

const words: Readonly<Record<string, string>> = { allow: 'Allowed', deny: 'Denied', delegate: 'Passed on' }

/** The answers to the question whether a call may run: "Allowed by ada, bob". Nothing where nobody was asked. */
export function answersInWords(answers: readonly CallAnswer[] = []): string | undefined {
  const said: { readonly act: string; readonly people: string[] }[] = []
  for (const { decision, by, to } of answers) {
    const act = `${words[decision] ?? 'Answered'}${to === undefined ? '' : ` to ${to}`}`
    const last = said.at(-1)
    const name = by === 'me' ? 'you' : by
    if (last?.act === act) last.people.push(name)
    else said.push({ act, people: [name] })
  }
  return said.length ? said.map(({ act, people }) => `${act} by ${people.join(', ')}`).join('; ') : undefined
}
