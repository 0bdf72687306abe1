import { useCallback, useEffect, useState } from 'react'
import type { Client } from 'turnbuckle/client'
import { callServer } from '../state/call-server.ts'

/** A value of the server's, once it was read, and a function that reads it again. `load` must not change between draws. */
export function useLoaded<Value>(load: (client: Client) => Promise<Value>): readonly [Value | undefined, () => void] {
  const [value, setValue] = useState<Value>()
  const read = useCallback(
    () =>
      void callServer(load).then(found => {
        if (found !== undefined) setValue(() => found)
      }),
    [load],
  )
  useEffect(read, [read])
  return [value, read]
}
