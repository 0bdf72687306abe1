import { callKey, type ResultPart, type WireNode } from 'turnbuckle/client'

/** The results on a path, by the `callKey` of their call. */
export function resultsOnPath(path: readonly WireNode[]): Map<string, ResultPart> {
  const results = new Map<string, ResultPart>()
  for (const { turnId, message } of path)
    for (const part of message.content) if (part.type === 'result') results.set(callKey(turnId, part.id), part)
  return results
}
