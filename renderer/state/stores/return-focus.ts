/** Remembers the focus before Ctrl+J or a similar command moves it. */
export interface ReturnFocus {
  /** Remembers the focused element. Only the first call counts until `goBack`. */
  mark(): void
  /** Returns the focus to the remembered element without scrolling, or focuses the composer if the element is gone or hidden. */
  goBack(): void
  /** Forgets the remembered element. */
  forget(): void
  /** Forgets the remembered element and focuses the composer. */
  toComposer(): void
}

export function createReturnFocus(): ReturnFocus {
  let marked: Element | null = null
  return {
    mark() {
      marked ??= document.activeElement
    },
    goBack() {
      const place = marked
      marked = null
      const isThere = place instanceof HTMLElement && place !== document.body && place.isConnected && place.offsetParent !== null
      if (isThere) place.focus({ preventScroll: true })
      else focusComposer()
    },
    forget() {
      marked = null
    },
    toComposer() {
      marked = null
      focusComposer()
    },
  }
}

function focusComposer(): void {
  document.querySelector<HTMLElement>('[data-composer-text]')?.focus({ preventScroll: true })
}
