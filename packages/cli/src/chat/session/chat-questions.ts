import type { Event, TurnbuckleError } from 'turnbuckle'
import { oneLine } from '../../text/one-line.ts'
import { isShownWhole } from '../question/fit-question.ts'
import { closeQuestion } from '../transcript/chat-state.ts'
import type { Question } from '../transcript/question.ts'
import type { ShownChat } from './shown-chat.ts'

export type Answer = (given: unknown) => void

/** The turn's side of its requests. */
export interface Requests {
  /** Throws where it is refused; of a turn that another process works on, the promise is rejected. */
  answer(id: string, given: unknown): Promise<void> | undefined
  /** Ends a request unanswered: its fallback counts. */
  expire(id: string): void
}

/** The words of an answer: what was written, or yes or no. */
function decisionText(given: unknown): string {
  const { text, decision, outcome } = (given ?? {}) as Readonly<Record<string, unknown>>
  const word = decision === 'allow' ? 'yes' : decision === 'deny' ? 'no' : (text ?? decision ?? outcome)
  return oneLine(typeof word === 'string' ? word : (JSON.stringify(given) ?? ''), 200)
}

/** The questions that a chat shows: requests of its turn, and those of the chat's own. */
export class ChatQuestions {
  readonly #chat: ShownChat
  readonly #requests: Requests
  /** Answers to questions that the chat asks itself, by question id. All other questions are requests of a turn. */
  readonly #own = new Map<string, Answer>()
  #asked = 0

  constructor(chat: ShownChat, requests: Requests) {
    this.#chat = chat
    this.#requests = requests
  }

  /** A question that is too long for the screen is also printed whole, as a notice. */
  put(question: Question): void {
    const { columns = 80, rows = 24 } = process.stdout
    if (!isShownWhole(question, columns, rows))
      this.#chat.say([question.title, question.body].filter(Boolean).join('\n'), 'plain', question.diff ?? '')
    this.#chat.set(state => ({ ...state, questions: [...state.questions, question] }))
  }

  close(id: string): void {
    this.#chat.set(state => closeQuestion(state, id))
  }

  /**
   * A request was answered. Where that did not happen here the person is told who answered and what; the line of a call says it of a permission. `me`: the
   * person at this terminal.
   */
  closeAnswered({ requestId, kind, decision, by }: Event & { type: 'request.answered' }, me: string): void {
    const open = this.#chat.state.questions.some(({ id }) => id === requestId)
    this.close(requestId)
    if (!open || kind === 'permission' || by === undefined) return
    this.#chat.say(`Answered ${by === me ? 'in another window' : `by ${oneLine(by, 40)}`}: ${decisionText(decision)}`)
  }

  /** Asks something of the chat's own. Gives how to withdraw it: then nobody answers. */
  ask(question: Omit<Question, 'id'>, answer: Answer): () => void {
    const id = `own_${this.#asked++}`
    this.#own.set(id, answer)
    this.put({ ...question, id, own: true })
    return () => {
      this.#own.delete(id)
      this.close(id)
    }
  }

  /** Ends a request of the turn unanswered: its fallback counts. */
  expire(question: Question): void {
    this.close(question.id)
    this.#requests.expire(question.id)
  }

  /** Answers the question that is shown; an answer that is none leaves it open. */
  answer(question: Question, given: unknown): void {
    const own = this.#own.get(question.id)
    this.#own.delete(question.id)
    try {
      const taking = own ? undefined : this.#requests.answer(question.id, given)
      taking?.catch(error => this.#reopen(question, error))
      this.close(question.id)
      own?.(given)
    } catch (error) {
      const { code, message } = error as TurnbuckleError
      if (code === 'request.invalid') this.change(question, { problem: message })
      else {
        this.close(question.id)
        this.#chat.say(message, 'warn')
      }
    }
  }
  /** The process that works on the turn has not taken the answer. A question that is over stays closed. */
  #reopen(question: Question, error: unknown): void {
    const { code = '', message } = error as Partial<TurnbuckleError> & Error
    if (code.startsWith('request.') && code !== 'request.invalid') this.#chat.say(message, 'warn')
    else this.put({ ...question, problem: message })
  }

  change({ id }: Question, changes: Partial<Question>): void {
    this.#chat.set(state => ({
      ...state,
      questions: state.questions.map(one => (one.id === id ? { ...one, ...changes } : one)),
    }))
  }
}
