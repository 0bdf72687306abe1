import { createContext } from 'react'
import { useAppState } from '../state/app-state.ts'

/** Reads the bytes of a file that the server keeps. A shared page reads them with its link's token. */
export const FileReaderContext = createContext<(id: string) => Promise<Blob>>(id => {
  const { client } = useAppState.getState()
  return client ? client.readFile(id) : Promise.reject(new Error('Not signed in'))
})
