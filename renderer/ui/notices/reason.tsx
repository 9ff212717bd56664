import type { ReactNode } from 'react'

/** Words that `aria-describedby` points at, in sight of nobody and in no layout: why a control cannot be used. */
export function Reason({ id, children }: { readonly id: string; readonly children: string }): ReactNode {
  return (
    <span id={id} hidden>
      {children}
    </span>
  )
}
