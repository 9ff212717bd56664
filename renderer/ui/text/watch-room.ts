import { flushSync } from 'react-dom'

const checks = new Map<Element, () => void>()
/** One for all: a ledger has thousands of paths. */
let observer: ResizeObserver | undefined

function begin(): ResizeObserver {
  const shared = new ResizeObserver((entries) => {
    // before this frame is drawn, so that nothing is seen that is then drawn otherwise
    flushSync(() => {
      for (const { target } of entries) checks.get(target)?.()
    })
  })
  // with its own font a text has another width, and its box need not show it; what is observed anew is told of once it is in sight
  document.fonts.addEventListener('loadingdone', () => {
    for (const element of checks.keys()) {
      shared.unobserve(element)
      shared.observe(element)
    }
  })
  return shared
}

/** Calls back when an element first has a size, whenever that changes, and when fonts have arrived; never while it is out of sight. Returns what ends it. */
export function watchRoom(element: Element, check: () => void): () => void {
  observer ??= begin()
  const shared = observer
  checks.set(element, check)
  shared.observe(element)
  return () => {
    checks.delete(element)
    shared.unobserve(element)
  }
}
