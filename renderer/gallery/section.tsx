import type { ReactNode } from 'react'
import styles from './gallery.module.css'

/** One part of the sheet with its title. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** A control, and below it the name of the state that it shows. */
export function State({
  note,
  wide = false,
  children,
}: {
  readonly note: string
  readonly wide?: boolean
  readonly children: ReactNode
}): ReactNode {
  return (
    <span className={wide ? styles.stateWide : styles.state}>
      {children}
      <small>{note}</small>
    </span>
  )
}
