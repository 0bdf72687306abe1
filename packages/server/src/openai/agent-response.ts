import type { Event } from 'turnbuckle'
import { openAiError } from '../http/openai-error.ts'
import { type AnswerForm, type AnswerNames, failure, type TurnEnd, turnFacts } from './answer-form.ts'
import { AnswerText } from './answer-text.ts'
import { responseUsage } from './openai-usage.ts'
import { ResponseItems } from './response-items.ts'

/** Fields of a request that its response repeats. */
export interface RepeatedFields {
  readonly instructions: string | null
  readonly previous_response_id: string | null
  readonly store: boolean
}

/** A turn as a response, whole or in events. The response's id is the turn's. */
export class AgentResponse implements AnswerForm {
  readonly #names: AnswerNames
  readonly #repeated: RepeatedFields
  readonly #items = new ResponseItems()
  readonly #text = new AnswerText()
  #number = 0
  readonly lastLine = ''

  constructor(names: AnswerNames, repeated: RepeatedFields) {
    this.#names = names
    this.#repeated = repeated
  }

  begin(): readonly object[] {
    const response = this.#response('in_progress')
    return this.#numbered([
      { type: 'response.created', response },
      { type: 'response.in_progress', response },
    ])
  }
  add(event: Event): readonly object[] {
    this.#text.add(event)
    return this.#numbered(this.#items.add(event))
  }
  end(event: TurnEnd): readonly object[] {
    const rest = this.#items.close('incomplete')
    const response = event.outcome === 'failed' ? this.#failed(event) : this.whole(event)
    return this.#numbered([...rest, { type: `response.${statusOf(event)}`, response }])
  }
  #numbered(events: readonly object[]): readonly object[] {
    return events.map(event => ({ ...event, sequence_number: this.#number++ }))
  }

  whole(event: TurnEnd): object {
    const status = statusOf(event)
    const details = status === 'incomplete' ? { incomplete_details: incompleteDetails(event) } : {}
    const usage = responseUsage(event.usage)
    return { ...this.#response(status), ...details, usage, ...turnFacts(this.#names, event) }
  }
  #failed(event: TurnEnd): object {
    const { message } = openAiError(500, failure(event)).error
    return { ...this.#response('failed'), error: { code: 'server_error', message } }
  }
  #response(status: string): object {
    const { id, model, created, conversationId } = this.#names
    return {
      id,
      object: 'response',
      created_at: created,
      status,
      model,
      conversation: { id: conversationId },
      output: [...this.#items.done],
      error: null,
      incomplete_details: null,
      metadata: {},
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: [],
      temperature: null,
      top_p: null,
      ...this.#repeated,
    }
  }
  text(): string {
    return this.#text.exact
  }
  line(data: object): string {
    return `event: ${(data as { type: string }).type}\ndata: ${JSON.stringify(data)}\n\n`
  }
}

/** A reply that was cut by its length or a filter is incomplete, and so is a turn that somebody has stopped. */
function statusOf({ outcome, finishReason }: TurnEnd): 'completed' | 'incomplete' | 'failed' {
  if (outcome === 'failed') return 'failed'
  return outcome === 'completed' && !cut.test(finishReason ?? '') ? 'completed' : 'incomplete'
}
const cut = /^(length|content-filter|refusal)$/

/** OpenAI has words for a length and for a filter alone. */
function incompleteDetails({ finishReason = '' }: TurnEnd): object {
  if (finishReason === 'length') return { reason: 'max_output_tokens' }
  return cut.test(finishReason) ? { reason: 'content_filter' } : {}
}
