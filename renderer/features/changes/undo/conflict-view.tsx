import { type ReactNode, useId, useState } from 'react'
import type { ConflictChoice, ConflictLines, UndoConflict } from '../../../../shared/session/undo.ts'
import { Pane, PaneHead, PaneScroll } from '../../../ui/frame/panes/pane.tsx'
import { MiddlePath } from '../../../ui/text/middle-path.tsx'
import changes from '../changes.module.css'
import styles from './undo.module.css'
import type { UndoWork } from './use-undo.ts'

/** A file whose later work changed the same lines: before the step, the step, and now, with a choice for each region. */
export function ConflictView({ conflict, work }: { readonly conflict: UndoConflict; readonly work: UndoWork }): ReactNode {
  const { shown, regions, later, change } = conflict
  const choices = work.choicesFor(conflict)
  const who = later.length === 0 ? 'you changed the same lines since' : 'the same lines were changed since'
  return (
    <Pane kind="work" label={`Conflict in ${shown}`} className={changes.review}>
      <PaneHead title={<MiddlePath path={shown} className={changes.path} />} aside={who} />
      <PaneScroll label="Conflict">
        {regions.length === 0 && (
          <section className={styles.region}>
            <p className={changes.words}>
              {change.before === null
                ? 'The file was deleted since.'
                : change.after === null
                  ? 'The step created the file, and it was changed since.'
                  : 'The versions cannot be merged line by line.'}
            </p>
            <Choices
              name="The whole file"
              choice={choices[0] ?? null}
              before={change.after === null ? 'Delete the file' : 'Bring back the file from before the step'}
              now={change.before === null ? 'Leave it deleted' : 'Keep the file as it is now'}
              onChoose={(choice) => work.choose(conflict, 0, choice)}
            />
          </section>
        )}
        {regions.map((region, index) => (
          <section
            key={`${region.now.line} ${region.step.line}`}
            className={styles.region}
            aria-label={`Conflict ${index + 1} of ${regions.length}`}
          >
            <div className={styles.sides}>
              <Side title="Before the step" about="what undo brings back" text={region.before} kind="del" />
              <Side title="The step" about="what undo removes" text={region.step} />
              <Side title="Now" about={later.length === 0 ? 'with your change' : 'with later work'} text={region.now} kind="add" />
            </div>
            <Choices
              name={`Conflict ${index + 1} of ${regions.length}`}
              choice={choices[index] ?? null}
              now="Keep these lines as they are now"
              before="Bring back what was there before the step"
              own={region.now.lines.join('\n')}
              onChoose={(choice) => work.choose(conflict, index, choice)}
            />
          </section>
        ))}
      </PaneScroll>
    </Pane>
  )
}

interface SideProps {
  readonly title: string
  readonly about: string
  readonly text: ConflictLines
  readonly kind?: 'add' | 'del'
}

function Side({ title, about, text: { line, lines }, kind }: SideProps): ReactNode {
  return (
    <div className={styles.side}>
      <h3 className={styles.heading}>
        {title} <span className="meta">{about}</span>
      </h3>
      <pre className={styles.code} data-kind={kind}>
        {lines.length === 0 ? (
          <span className="meta">No lines</span>
        ) : (
          lines.map((text, index) => `${String(line + index).padStart(4)}  ${text}`).join('\n')
        )}
      </pre>
    </div>
  )
}

interface ChoicesProps {
  readonly name: string
  readonly choice: ConflictChoice | null
  readonly now: string
  readonly before: string
  /** What writing it yourself begins with. Absent: it is not offered. */
  readonly own?: string
  readonly onChoose: (choice: ConflictChoice) => void
}

function Choices({ name, choice, now, before, own, onChoose }: ChoicesProps): ReactNode {
  const group = useId()
  const [text, setText] = useState(own ?? '')
  const isOwn = typeof choice === 'object' && choice !== null
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{name}</legend>
      <label>
        <input type="radio" name={group} checked={choice === 'now'} onChange={() => onChoose('now')} /> {now}
      </label>
      <label>
        <input type="radio" name={group} checked={choice === 'before'} onChange={() => onChoose('before')} /> {before}
      </label>
      {own !== undefined && (
        <label>
          <input type="radio" name={group} checked={isOwn} onChange={() => onChoose({ text })} /> Write it yourself
        </label>
      )}
      {isOwn && (
        <textarea
          className={styles.own}
          aria-label="Your lines"
          rows={Math.min(12, text.split('\n').length + 1)}
          value={text}
          onChange={({ target: { value } }) => {
            setText(value)
            onChoose({ text: value })
          }}
        />
      )}
    </fieldset>
  )
}
