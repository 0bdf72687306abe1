import { EventStreamCodec } from '@smithy/eventstream-codec'

const utf8 = { encode: new TextEncoder(), decode: new TextDecoder() }
const codec = new EventStreamCodec(
  bytes => (typeof bytes === 'string' ? bytes : utf8.decode.decode(bytes)),
  text => utf8.encode.encode(text),
)

/** A short reply in each protocol, for requests after the last recorded one. */
const closing = {
  chat: [
    '{"id":"end","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Done."},"finish_reason":null}]}',
    '{"id":"end","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}',
  ],
  completion: [
    '{"id":"end","object":"text_completion","created":1,"model":"m","choices":[{"text":"Done.","index":0,"logprobs":null,"finish_reason":"stop"}]}',
  ],
  anthropic: [
    '{"type":"message_start","message":{"id":"msg_end","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}',
    '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Done."}}',
    '{"type":"content_block_stop","index":0}',
    '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":1}}',
    '{"type":"message_stop"}',
  ],
  responses: [
    '{"type":"response.created","sequence_number":0,"response":{"id":"resp_end","object":"response","created_at":1,"model":"m","status":"in_progress","output":[]}}',
    '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_end","type":"message","status":"in_progress","role":"assistant","content":[]}}',
    '{"type":"response.output_text.delta","sequence_number":2,"item_id":"msg_end","output_index":0,"content_index":0,"delta":"Done."}',
    '{"type":"response.output_item.done","sequence_number":3,"output_index":0,"item":{"id":"msg_end","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Done.","annotations":[]}]}}',
    '{"type":"response.completed","sequence_number":4,"response":{"id":"resp_end","object":"response","created_at":1,"model":"m","status":"completed","output":[],"incomplete_details":null,"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2,"input_tokens_details":{"cached_tokens":0},"output_tokens_details":{"reasoning_tokens":0}}}}',
  ],
  google: [
    '{"candidates":[{"content":{"parts":[{"text":"Done."}],"role":"model"},"index":0,"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}',
  ],
  interactions: [
    '{"interaction":{"id":"int_end","status":"in_progress","object":"interaction","model":"m"},"event_type":"interaction.created"}',
    '{"index":0,"step":{"type":"model_output"},"event_type":"step.start"}',
    '{"index":0,"delta":{"text":"Done.","type":"text"},"event_type":"step.delta"}',
    '{"index":0,"event_type":"step.stop"}',
    '{"interaction":{"id":"int_end","status":"completed","usage":{"total_tokens":2,"total_input_tokens":1,"total_output_tokens":1},"object":"interaction","model":"m"},"event_type":"interaction.completed"}',
  ],
  cohere: [
    '{"id":"end","type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}}',
    '{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}',
    '{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"Done."}}}}',
    '{"type":"content-end","index":0}',
    '{"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":1,"output_tokens":1}}}}',
  ],
  bedrock: [
    '{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"Done."}}}',
    '{"contentBlockStop":{"contentBlockIndex":0}}',
    '{"messageStop":{"stopReason":"end_turn"}}',
    '{"metadata":{"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}}',
  ],
}

/** A `fetch` that answers with the replies, one a request, and keeps the body of each request. */
export function serveReplies({ replies, protocol }) {
  const bodies = []
  const fetch = async (_url, init) => {
    bodies.push(JSON.parse(String(init.body)))
    return answer(replies[bodies.length - 1] ?? closing[protocol], protocol)
  }
  return { bodies, fetch }
}

function answer(lines, protocol) {
  if (protocol === 'bedrock')
    return new Response(new Blob(lines.map(framed)), {
      headers: { 'content-type': 'application/vnd.amazon.eventstream' },
    })
  const events = lines.map(line => `data: ${line}\n\n`)
  if (protocol === 'chat' || protocol === 'completion') events.push('data: [DONE]\n\n')
  return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
}

/** A chunk as a message of Amazon's event stream. */
function framed(line) {
  const [[type, body]] = Object.entries(JSON.parse(line))
  const header = value => ({ type: 'string', value })
  return codec.encode({
    headers: {
      ':message-type': header('event'),
      ':event-type': header(type),
      ':content-type': header('application/json'),
    },
    body: utf8.encode.encode(JSON.stringify(body)),
  })
}
