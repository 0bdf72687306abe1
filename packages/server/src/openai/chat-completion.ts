import type { Event } from 'turnbuckle'
import { openAiError } from '../http/openai-error.ts'
import { type AnswerForm, type AnswerNames, failure, type TurnEnd, turnFacts } from './answer-form.ts'
import { AnswerText } from './answer-text.ts'
import { completionUsage } from './openai-usage.ts'

const reasons: Readonly<Record<string, string>> = {
  length: 'length',
  'content-filter': 'content_filter',
  refusal: 'content_filter',
}

/** A turn as a chat completion, whole or in chunks. */
export class ChatCompletion implements AnswerForm {
  readonly #names: AnswerNames
  readonly #includeUsage: boolean
  readonly #text = new AnswerText()
  readonly lastLine = 'data: [DONE]\n\n'

  constructor(names: AnswerNames, { includeUsage }: { readonly includeUsage: boolean }) {
    this.#names = names
    this.#includeUsage = includeUsage
  }

  begin(): readonly object[] {
    return [this.#chunk({ role: 'assistant', content: '' })]
  }
  add(event: Event): readonly object[] {
    const content = this.#text.add(event)
    return content ? [this.#chunk({ content })] : []
  }
  end(event: TurnEnd): readonly object[] {
    if (event.outcome === 'failed') return [openAiError(500, failure(event))]
    const last = { ...this.#chunk({}, finishReason(event)), ...turnFacts(this.#names, event) }
    const usage = { ...this.#chunk({}), choices: [], usage: completionUsage(event.usage) }
    return this.#includeUsage ? [last, usage] : [last]
  }
  #chunk(delta: object, finish: string | null = null): object {
    const { id, created, model } = this.#names
    const choice = { index: 0, delta, logprobs: null, finish_reason: finish }
    return { id, object: 'chat.completion.chunk', created, model, choices: [choice] }
  }

  whole(event: TurnEnd): object {
    const { id, created, model } = this.#names
    const message = { role: 'assistant', content: this.#text.exact, refusal: null }
    return {
      id,
      object: 'chat.completion',
      created,
      model,
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(event) }],
      usage: completionUsage(event.usage),
      ...turnFacts(this.#names, event),
    }
  }
  text(isStream: boolean): string {
    return isStream ? this.#text.told : this.#text.exact
  }
  line(data: object): string {
    return `data: ${JSON.stringify(data)}\n\n`
  }
}

const finishReason = ({ finishReason: reason = 'stop' }: TurnEnd): string => reasons[reason] ?? 'stop'
