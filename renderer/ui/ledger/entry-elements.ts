/** All entries of a ledger in their order, whether or not they are in boxes. `list` is the element of the ledger. */
export function entriesOf(list: Element): readonly Element[] {
  return [...list.querySelectorAll('[role=listitem]')]
}

/**
 * Returns the first entry that is at least partly below `top`, in pixels from the top of the window. The first `first` children of `list`
 * are skipped. Entries in boxes that do not contain the result are not measured, because measuring an entry would lay out its box even if
 * the box is outside the view.
 */
export function firstEntryBelow(top: number, { children }: Element, first = 0): Element | null {
  let from = first
  let to = children.length - 1
  while (from < to) {
    const middle = (from + to) >> 1
    if ((children[middle]?.getBoundingClientRect().bottom ?? 0) > top) to = middle
    else from = middle + 1
  }
  const found = children[from]
  if (!found) return null
  return found.role === 'listitem' ? found : firstEntryBelow(top, found)
}
