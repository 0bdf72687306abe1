import { expect, test } from 'vitest'
import { exportFileName } from './export-file-name.ts'

test.each([
  { title: 'A plan: step 1/2', is: 'A-plan-step-1-2.md' },
  { title: '../../etc/passwd', is: '-etc-passwd.md' },
  { title: 'Grüße 世界', is: 'Grüße-世界.md' },
  { title: '', is: 'conversation.md' },
  { title: 'x'.repeat(100), is: `${'x'.repeat(60)}.md` },
])('"$title" is saved as $is', ({ title, is }) => expect(exportFileName(title, 'md')).toBe(is))
