import { afterEach, expect, test, vi } from 'vitest'
import { conversation, givePage } from '../../test/conversation.ts'
import { exportConversation } from './export-conversation.ts'

afterEach(() => vi.unstubAllGlobals())

/** A page that notes what is downloaded. */
function downloads(): { href: string; download: string }[] {
  const clicked: { href: string; download: string }[] = []
  const link = { href: '', download: '', click: () => clicked.push({ href: link.href, download: link.download }) }
  vi.stubGlobal('document', { createElement: () => link })
  return clicked
}

test('a copy is downloaded under the title of its conversation', async () => {
  const clicked = downloads()
  const copy = { id: 'c', title: 'A plan', head: null, nodes: [] }
  givePage({ conversation: conversation() }, { exportConversation: async () => copy as never })
  await exportConversation('c', 'json')
  expect(clicked).toMatchObject([{ download: 'A-plan.json', href: expect.stringMatching(/^blob:/) }])
})

test('nothing is downloaded where the server gives none', async () => {
  const clicked = downloads()
  givePage({ conversation: conversation() }, { exportConversation: () => Promise.reject(new Error('gone')) })
  await exportConversation('c', 'md')
  expect(clicked).toEqual([])
})
