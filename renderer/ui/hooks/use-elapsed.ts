import { useEffect, useState } from 'react'

/** Ms since `since` (ms since 1970), renewed at each whole second that has passed; 0 for null. Stops with `until`. */
export function useElapsed(since: number | null, until: number | null = null): number {
  const [now, setNow] = useState(() => Date.now())
  const running = since !== null && until === null

  useEffect(() => {
    if (!running) return
    let timer: ReturnType<typeof setTimeout>
    const tick = (): void => {
      const at = Date.now()
      setNow(at)
      // aligned to the second of this wait, so that its figures turn in time and not half a second late
      timer = setTimeout(tick, 1000 - ((at - since) % 1000))
    }
    tick()
    return () => clearTimeout(timer)
  }, [running, since])

  if (since === null) return 0
  return Math.max(0, (until ?? Math.max(now, since)) - since)
}
