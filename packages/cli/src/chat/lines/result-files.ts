import type { FilePart } from 'turnbuckle'
import { formatCount } from '../../text/format-count.ts'
import { oneLine } from '../../text/one-line.ts'
import { visibleValue } from '../../text/visible-value.ts'

/** A file of a result, as the log has it: base64 text. */
export interface ResultFile extends FilePart {
  readonly data: string
}

const isResultFile = (part: unknown): part is ResultFile => {
  const { type, data, mediaType } = (part ?? {}) as Partial<ResultFile>
  return type === 'file' && typeof data === 'string' && typeof mediaType === 'string'
}

/** Files among the parts of a result: images of an MCP server, recordings, documents. */
export const resultFiles = (result: unknown): readonly ResultFile[] => [result].flat().filter(isResultFile)

/** A result as text: each file by its name, kind and size, as `⎘ image/png, 1.2k bytes`. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result
  if (!resultFiles(result).length) return visibleValue(result ?? '', 2)
  return [result]
    .flat()
    .map(part => (isResultFile(part) ? fileName(part) : typeof part === 'string' ? part : visibleValue(part, 2)))
    .join('\n')
}

function fileName({ name, mediaType, data }: ResultFile): string {
  const size = /^(https?|data):/.test(data) ? [] : [`${formatCount(Math.floor((data.length * 3) / 4))} bytes`]
  const said = [...(name === undefined ? [] : [name]), mediaType, ...size]
  return `⎘ ${oneLine(said.join(', '), 100)}`
}
