import { useEffect, useState } from 'react'

/** Returns the ms that have passed since `since` (ms since 1970), updated at each full second, up to `until`. 0 if `since` is null. */
export function useElapsed(since: number | null, until: number | null = null): number {
  const [now, setNow] = useState(() => Date.now())
  const running = since !== null && until === null

  useEffect(() => {
    if (!running) return
    let timer: ReturnType<typeof setTimeout>
    const tick = (): void => {
      const at = Date.now()
      // A wait of less than a second is shown correctly without another render.
      if (at - since >= 1000) setNow(at)
      // The display is updated at full seconds since the start of this wait, so that it does not lag.
      timer = setTimeout(tick, 1000 - ((at - since) % 1000))
    }
    tick()
    return () => clearTimeout(timer)
  }, [running, since])

  if (since === null) return 0
  return Math.max(0, (until ?? Math.max(now, since)) - since)
}
