/**
 * Calls `then` once no button of the pointer is pressed: at once, or after the release. On Linux and macOS a context menu is asked for at the
 * press, and the browser closes a popover when a press that began outside it is released outside it.
 */
export function afterRelease({ buttons }: Pick<MouseEvent, 'buttons'>, then: () => void): void {
  if (buttons === 0) return then()
  const listening = new AbortController()
  const released = (): void => {
    listening.abort()
    // The browser may close popovers after the listeners have run.
    setTimeout(then)
  }
  for (const event of ['pointerup', 'pointercancel']) addEventListener(event, released, { capture: true, signal: listening.signal })
}
