import { Virtualizer } from '@pierre/diffs'

interface Shared {
  readonly virtualizer: Virtualizer
  users: number
}

const shared = new WeakMap<Element, Shared>()

/** The element that scrolls `inner`. Null if there is none. */
export function scrollRootOf(inner: Element): HTMLElement | null {
  for (let at = inner.parentElement; at; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at)
    if (overflowY === 'auto' || overflowY === 'scroll') return at
  }
  return null
}

/**
 * Returns the scroll observer that all diffs within one scrolling element share. Only lines near the visible part of that element are in
 * the page.
 */
export function takeVirtualizer(root: HTMLElement, inner: Element): Virtualizer {
  const known = shared.get(root)
  if (known) {
    known.users++
    return known.virtualizer
  }
  const virtualizer = new Virtualizer({ overscrollSize: 240 })
  virtualizer.setup(
    root,
    [...root.children].find((child) => child.contains(inner)),
  )
  shared.set(root, { virtualizer, users: 1 })
  return virtualizer
}

export function releaseVirtualizer(root: HTMLElement): void {
  const known = shared.get(root)
  if (!known || --known.users > 0) return
  known.virtualizer.cleanUp()
  shared.delete(root)
}
