import { type ReactNode, useEffect, useRef } from 'react'

/** Draws the line of the hold button in it at a ratio, as it is for a moment while it runs. */
export function HeldAt({ ratio, children }: { readonly ratio: number; readonly children: ReactNode }): ReactNode {
  const box = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const line = box.current?.querySelector<HTMLElement>('button > span:last-child')
    if (line !== null && line !== undefined) line.style.transform = `scaleX(${ratio})`
  }, [ratio])
  return (
    <span ref={box} style={{ display: 'contents' }}>
      {children}
    </span>
  )
}
