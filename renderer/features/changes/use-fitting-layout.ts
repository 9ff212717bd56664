import { useSyncExternalStore } from 'react'
import type { DiffLayout } from '../../ui/diff/code-diff.tsx'

/** Side by side needs a window of 1080 px (look §2). */
const NARROW = matchMedia('(width < 1080px)')

/** How a difference fits into the window as it is now: side by side or stacked. */
export function useFittingLayout(): DiffLayout {
  return useSyncExternalStore(watch, () => (NARROW.matches ? 'stacked' : 'split'))
}

function watch(changed: () => void): () => void {
  NARROW.addEventListener('change', changed)
  return () => NARROW.removeEventListener('change', changed)
}
