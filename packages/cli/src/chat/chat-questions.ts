import type { TurnbuckleError } from 'turnbuckle'
import type { ChatSession } from './chat-session.ts'
import { localPerson } from './local-person.ts'
import { isShownWhole } from './screen/fit-question.ts'
import { closeQuestion } from './transcript/chat-state.ts'
import type { Question } from './transcript/question.ts'

export type Answer = (given: unknown) => void

/** The questions that a chat shows: requests of its turn, and those of the chat's own. */
export class ChatQuestions {
  readonly #session: ChatSession
  /** Answers to questions that the chat asks itself, by question id. All other questions are requests of a turn. */
  readonly #own = new Map<string, Answer>()
  #asked = 0

  constructor(session: ChatSession) {
    this.#session = session
  }

  /** A question that is too long for the screen is also printed whole, as a notice. */
  put(question: Question): void {
    const { columns = 80, rows = 24 } = process.stdout
    if (!isShownWhole(question, columns, rows))
      this.#session.say([question.title, question.body, question.diff ?? ''].filter(Boolean).join('\n'))
    this.#session.set(state => ({ ...state, questions: [...state.questions, question] }))
  }

  close(id: string): void {
    this.#session.set(state => closeQuestion(state, id))
  }

  /** Asks something of the chat's own. */
  ask(question: Omit<Question, 'id'>, answer: Answer): void {
    const id = `own_${this.#asked++}`
    this.#own.set(id, answer)
    this.put({ ...question, id, own: true })
  }

  /** Ends a request of the turn unanswered: its fallback counts. */
  expire(question: Question): void {
    this.close(question.id)
    this.#session.turn?.expire(question.id)
  }

  /** Answers the question that is shown; an answer that is none leaves it open. */
  answer(question: Question, given: unknown): void {
    const own = this.#own.get(question.id)
    this.#own.delete(question.id)
    try {
      if (!own) this.#session.conversation.answer(question.id, given, { by: localPerson(), owner: localPerson() })
      this.close(question.id)
      own?.(given)
    } catch (error) {
      const { code, message } = error as TurnbuckleError
      if (code === 'request.invalid') this.change(question, { problem: message })
      else {
        this.close(question.id)
        this.#session.say(message, 'warn')
      }
    }
  }

  change({ id }: Question, changes: Partial<Question>): void {
    this.#session.set(state => ({
      ...state,
      questions: state.questions.map(one => (one.id === id ? { ...one, ...changes } : one)),
    }))
  }
}
