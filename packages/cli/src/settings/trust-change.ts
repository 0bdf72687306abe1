import { diff } from 'turnbuckle/tools'
import { visibleDiff } from '../text/visible-diff.ts'
import type { TrustItem } from './trust-file.ts'

/** Lines of a change that are shown. */
const mostLines = 200

/** What was changed since the content was trusted, as a diff with nothing hidden in it; empty where that is not known. */
export function trustChange({ text, trustedText }: TrustItem): string {
  if (text === undefined || trustedText === undefined) return ''
  const lines = visibleDiff(diff(trustedText, text)).split('\n')
  const more = lines.length - mostLines
  return more > 0
    ? [...lines.slice(0, mostLines), `@@ ${more} more lines are not shown @@`].join('\n')
    : lines.join('\n')
}
