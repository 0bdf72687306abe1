import { type ReactNode, useContext } from 'react'
import { expect, test } from 'vitest'
import { givePage } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { FileReaderContext } from './file-reader.ts'

const taken: ((id: string) => Promise<Blob>)[] = []
function Taker(): ReactNode {
  taken.push(useContext(FileReaderContext))
  return null
}

test('files are read with the client of whoever is signed in', async () => {
  givePage({}, { readFile: async id => new Blob([id]) })
  draw(Taker, {})
  expect(await (await taken.at(-1)?.('f'))?.text()).toBe('f')
})
