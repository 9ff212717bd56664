import { useSyncExternalStore } from 'react'

/** Matches below 1080 px, where the side panes are drawers above the work pane. */
const query = (): MediaQueryList => matchMedia('(width < 1080px)')

export function isNarrow(): boolean {
  return query().matches
}

export function useNarrow(): boolean {
  return useSyncExternalStore(watch, isNarrow)
}

function watch(changed: () => void): () => void {
  const watched = query()
  watched.addEventListener('change', changed)
  return () => watched.removeEventListener('change', changed)
}
