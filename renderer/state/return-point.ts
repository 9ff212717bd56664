/** Where the focus was before it was taken to something that needs the person (look §7). */
export interface ReturnPoint {
  /** Called before the focus leaves: only the first place counts until somebody went back. */
  mark(): void
  /** Puts the focus back, selection and scroll position untouched; where its place is gone, or was nowhere, into the composer. */
  goBack(): void
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
      const target = isThere ? place : document.querySelector<HTMLElement>('[data-composer-text]')
      target?.focus({ preventScroll: true })
    },
  }
}
