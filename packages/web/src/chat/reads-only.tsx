import type { ReactNode } from 'react'
import { useAppState } from '../state/app-state.ts'

/** In the place of the composer, for somebody who may only read here. */
export function ReadsOnly(): ReactNode {
  const owner = useAppState(app => (app.list?.find(({ id }) => id === app.openId) ?? app.conversation)?.owner)
  return (
    <p className="composer reads-only">
      {owner === undefined
        ? 'You are a viewer here: you read what others share with you.'
        : `${owner} shares this conversation with you to read.`}
    </p>
  )
}
