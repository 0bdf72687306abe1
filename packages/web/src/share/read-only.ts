import { createContext } from 'react'

/** True on a page that shows a conversation and can change nothing of it. */
export const ReadOnlyContext = createContext(false)
