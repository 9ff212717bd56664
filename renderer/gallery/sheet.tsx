import type { ReactNode } from 'react'
import { TooltipLayer } from '../ui/frame/tooltip-layer.tsx'
import { Buttons } from './buttons.tsx'
import { Choices } from './choices.tsx'
import { Entries } from './entries.tsx'
import { MiddlePath } from '../ui/text/middle-path.tsx'
import styles from './gallery.module.css'
import { NeedsYou } from './needs-you.tsx'
import { Section } from './section.tsx'
import { type MarkKind, markShapes, Mark } from '../ui/marks/mark.tsx'

/** Every control in every state, light beside dark. */
export function Sheet(): ReactNode {
  return (
    <main className={styles.sheet}>
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme} className={styles.column} data-theme={theme}>
          <h1>{theme === 'light' ? 'Light' : 'Dark'}</h1>
          <Marks />
          <Buttons />
          <Choices theme={theme} />
          <Entries theme={theme} />
          <NeedsYou theme={theme} />
          <Section title="Paths lose their middle">
            <div className={styles.types}>
              {[480, 320, 200, 120].map((width) => (
                <div key={width} style={{ width }} data-path-room={width}>
                  <MiddlePath path="src/invoices/periods/dates-west-of-greenwich.test.ts" className="path" />
                </div>
              ))}
            </div>
          </Section>
          <Section title="Type">
            <div className={styles.types}>
              <p className="doc-title">20/28 Title</p>
              <p style={{ font: 'var(--t-lead)', fontWeight: 500 }}>15/24 What you asked</p>
              <p>13/20 Everything else</p>
              <p className="label">12/16 Labels, small buttons</p>
              <p className="meta">11/16 Meta 0123456789</p>
              <p className="mono">12/20 const day = parseDay(text) !== null =&gt; &gt;=</p>
            </div>
          </Section>
        </div>
      ))}
      <TooltipLayer />
    </main>
  )
}

/** All marks, each beside its word. */
function Marks(): ReactNode {
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
