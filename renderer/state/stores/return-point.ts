/** Where the focus was before it was taken to something that needs the person (look §7). */
export interface ReturnPoint {
  /** Called before the focus leaves: only the first place counts until somebody went back. */
  mark(): void
  /** Puts the focus back, selection and scroll position untouched; where its place is gone, or was nowhere, into the composer. */
  goBack(): void
  /** Nobody goes back any more. */
  forget(): void
  /** Nobody goes back any more: into the composer. */
  toComposer(): void
}

export function createReturnPoint(): ReturnPoint {
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
