import { type ReactNode, useEffect, useRef } from 'react'

/** Holds what it contains in a state: `hover`, `active`, `focus-visible`. */
export function Force({ state, children }: { readonly state: string; readonly children: ReactNode }): ReactNode {
  const box = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const target = box.current?.querySelector('button, input, li, [data-force-here]')
    target?.setAttribute('data-force', state)
  }, [state])
  return (
    <span ref={box} style={{ display: 'contents' }}>
      {children}
    </span>
  )
}
