import { useEffect, useState } from 'react'
import { serverNow } from './server-now.ts'

const tick = 200

/** The server's time, five times a second while `running`. */
export function useServerNow(running: boolean): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(serverNow()), tick)
    return () => clearInterval(timer)
  }, [running])
  return now
}
