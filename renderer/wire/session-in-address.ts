import type { StoreApi } from 'zustand/vanilla'

interface Shown {
  readonly sessionId: string | null
}

/** Keeps the shown session in the page's address as `#at=ID`. The desktop shell reads it there, to open its windows again as they were. */
export function keepSessionInAddress(view: Pick<StoreApi<Shown>, 'getState' | 'subscribe'>): void {
  const keep = ({ sessionId }: Shown): void => {
    // The request in the address was not read yet.
    if (location.hash !== '' && !location.hash.startsWith('#at=')) return
    const address = sessionId === null ? location.pathname : `#at=${encodeURIComponent(sessionId)}`
    history.replaceState(history.state, '', address)
  }
  view.subscribe((now, before) => {
    if (now.sessionId !== before.sessionId) keep(now)
  })
  keep(view.getState())
}
