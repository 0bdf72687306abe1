import type { CallAnswer } from 'turnbuckle/client'
import { oneLine } from '../../text/one-line.ts'

const words: Readonly<Record<string, string>> = { allow: 'allowed', deny: 'denied', delegate: 'passed on' }

/**
 * The answers to the question whether a call may run: `allowed by ada and you`. Undefined where nobody but `me` was asked: who sits at the terminal
 * knows that.
 */
export function answersInWords(answers: readonly CallAnswer[] | undefined, me: string): string | undefined {
  if (!answers?.some(({ by }) => by !== me)) return undefined
  const said: { readonly act: string; readonly people: string[] }[] = []
  for (const { decision, by, to } of answers) {
    const act = `${words[decision] ?? 'answered'}${to === undefined ? '' : ` to ${oneLine(to, 40)}`}`
    const last = said.at(-1)
    const name = by === me ? 'you' : oneLine(by, 40)
    if (last?.act === act) last.people.push(name)
    else said.push({ act, people: [name] })
  }
  return said.map(({ act, people }) => `${act} by ${people.join(' and ')}`).join(', ')
}
