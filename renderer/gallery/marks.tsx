import type { ReactNode } from 'react'
import { type MarkKind, markShapes } from '../ui/marks/mark-kinds.ts'
import { Mark } from '../ui/marks/mark.tsx'
import styles from './gallery.module.css'
import { Section } from './section.tsx'

/** All marks, each beside its word. */
export function Marks(): ReactNode {
  return (
    <Section title="Marks">
      <ul className={styles.marks}>
        {(Object.keys(markShapes) as MarkKind[]).map((kind) => (
          <li key={kind}>
            <Mark kind={kind} />
            {markShapes[kind].word}
          </li>
        ))}
      </ul>
    </Section>
  )
}
