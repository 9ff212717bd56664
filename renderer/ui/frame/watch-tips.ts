export interface Tip {
  readonly source: HTMLElement
  readonly words: string
  readonly keys: string | undefined
}

/** Rest before a tooltip shows: shorter than this it flickers under a pointer that only passes. */
export const TIP_DELAY_MS = 500

/** Reports the tip to show, or null: after a rest of the pointer, at once when the keyboard reaches it; gone with a press, a key, a scroll. */
export function watchTips(root: Document, show: (tip: Tip | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let over: HTMLElement | null = null

  const find = (target: EventTarget | null): HTMLElement | null =>
    target instanceof Element ? target.closest<HTMLElement>('[data-tip]:not([data-tip=""])') : null
  const open = (source: HTMLElement): void => {
    if (source.isConnected) show({ source, words: source.dataset['tip'] ?? '', keys: source.dataset['tipKeys'] })
  }
  const close = (): void => {
    clearTimeout(timer)
    show(null)
  }

  const stop = new AbortController()
  const listen = { signal: stop.signal, passive: true, capture: true } as const
  root.addEventListener(
    'pointerover',
    (event) => {
      const source = find(event.target)
      if (source === over) return
      over = source
      close()
      if (source !== null && event.pointerType !== 'touch') timer = setTimeout(() => open(source), TIP_DELAY_MS)
    },
    listen,
  )
  root.addEventListener(
    'focusin',
    (event) => {
      const source = find(event.target)
      close()
      if (source !== null && source === event.target && source.matches(':focus-visible')) open(source)
    },
    listen,
  )
  for (const kind of ['pointerdown', 'keydown', 'wheel', 'focusout'] as const) root.addEventListener(kind, close, listen)
  root.addEventListener('scroll', close, listen)
  return () => {
    stop.abort()
    close()
  }
}
