import { TurnbuckleError } from 'turnbuckle'

const maxDepth = 100

/** Parses JSON from outside. Deep nesting is refused before anything recurses into it. */
export function parseJson(text: string): unknown {
  if (depthOf(text) > maxDepth) throw new TurnbuckleError('body.invalid', `JSON nested deeper than ${maxDepth} levels.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new TurnbuckleError('body.invalid', 'That is not valid JSON.')
  }
}

const steps: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 }

/** Levels of nesting, found in one linear pass that skips strings. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    if (char === '"') i = endOfString(text, i)
    depth += steps[char] ?? 0
    if (depth > deepest) deepest = depth
  }
  return deepest
}

function endOfString(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i
}
