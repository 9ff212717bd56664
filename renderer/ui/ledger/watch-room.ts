const checks = new Map<Element, () => void>()
/** One for all: a ledger has thousands of paths. */
let observer: ResizeObserver | undefined

function begin(): ResizeObserver {
  // with its own font a text has another width, and its box need not show it
  document.fonts.addEventListener('loadingdone', () => {
    for (const check of checks.values()) check()
  })
  return new ResizeObserver((entries) => {
    for (const { target } of entries) checks.get(target)?.()
  })
}

/** Calls back whenever an element's size changes, and when fonts have arrived. Returns what ends it. */
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
