/** Ids stand before the result or after it; at the end of a message only the whole message can have one. */
const idAtStart = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"(?:[^"\\]|\\.)*")/
const idAtEnd = /"id"\s*:\s*(\d+|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/

/**
 * The answer that the beginning of a too long message makes, as a line: the texts of a tool's result as far as they go, and a note that they
 * were cut. An error for a longer answer of another kind; nothing where it cannot be told which request it answers.
 */
export function cutAnswer(head: string, tail: string, bytes: number): string | undefined {
  const id = (idAtStart.exec(head) ?? idAtEnd.exec(tail))?.[1]
  if (id === undefined) return undefined
  const size = `${bytes.toLocaleString('en')} bytes`
  const content = /"(content|structuredContent)"\s*:/.exec(head)
  const answer = content
    ? {
        result: {
          content: [
            { type: 'text', text: textsIn(head) || head },
            { type: 'text', text: `[cut: the server answered with ${size}, the beginning is kept]` },
          ],
          ...(/"isError"\s*:\s*true/.test(head.slice(0, content.index) + tail) ? { isError: true } : {}),
        },
      }
    : { error: { code: -32000, message: `The server answered with ${size}, which is more than a message may have.` } }
  return `${JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(id), ...answer })}\n`
}

/** The text parts at the beginning of a result. The last one ends where the message was cut. */
function textsIn(head: string): string {
  return [...head.matchAll(/"text"\s*:\s*"((?:[^"\\]|\\.)*)/g)].map(([, text = '']) => read(text)).join('\n')
}

/** A JSON string without its end, which may be half an escape or half a character. */
function read(text: string): string {
  const whole = text.replace(/\\(u[\da-fA-F]{0,3})?$/, '').replace(/\ufffd$/, '')
  try {
    return JSON.parse(`"${whole}"`)
  } catch {
    return whole
  }
}
