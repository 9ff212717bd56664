import type { ReactNode } from 'react'
import { TooltipLayer } from '../../renderer/ui/frame/tooltip-layer.tsx'
import { EntryRow } from '../../renderer/ui/ledger/entry-row.tsx'
import { Axis, Ledger } from '../../renderer/ui/ledger/ledger.tsx'
import { type MarkKind, markShapes } from '../../renderer/ui/marks/mark.tsx'
import { MiddlePath } from '../../renderer/ui/text/middle-path.tsx'
import { Button } from '../../renderer/ui/controls/button.tsx'
import { Buttons } from './buttons.tsx'
import { Choices } from './choices.tsx'
import styles from './gallery.module.css'

const PATH = 'src/invoices/periods/dates-west-of-greenwich.test.ts'

/** Every control in every state, light beside dark. */
export function Sheet(): ReactNode {
  return (
    <main className={styles.sheet}>
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme} className={styles.column} data-theme={theme}>
          <h1>{theme === 'light' ? 'Light' : 'Dark'}</h1>
          <Section title="Buttons">
            <Buttons />
          </Section>
          <Section title="Fields, choices, indicators">
            <Choices theme={theme} />
          </Section>
          <Section title="Marks">
            <Marks theme={theme} />
          </Section>
          <Section title="Paths lose their middle">
            {[480, 320, 200, 120].map((width) => (
              <div key={width} style={{ width }} data-path-room={width}>
                <MiddlePath path={PATH} className="path" />
              </div>
            ))}
          </Section>
        </div>
      ))}
      <TooltipLayer />
    </main>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** A line of the ledger with each mark, beside its word. */
function Marks({ theme }: { readonly theme: string }): ReactNode {
  return (
    <Axis tight>
      <Ledger label={`Marks, ${theme}`}>
        {(Object.keys(markShapes) as MarkKind[]).map((kind, index) => (
          <EntryRow
            key={kind}
            mark={kind}
            drawn={kind === 'undone'}
            number={index + 1}
            at={new Date(2026, 10, 21, 14, 2, index).getTime()}
            line={
              <>
                <span className="verb">{markShapes[kind].word}</span>
                <MiddlePath path={PATH} className="path" />
                <span className="soft clip">interrupted by a restart, outcome unknown</span>
              </>
            }
            effect={
              <>
                <span className="add">+18</span>
                <span className="del">−2</span>
                <span className="fail">exit 1</span>
              </>
            }
            actions={<Button variant="quiet" small children="Undo this step" />}
          />
        ))}
      </Ledger>
    </Axis>
  )
}
