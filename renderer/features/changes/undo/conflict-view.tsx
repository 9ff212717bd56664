import type { ReactNode } from 'react'
import type { UndoConflict } from '../../../../shared/session/undo-preview.ts'
import { Choices, Side, Sides } from '../../../ui/conflicts/conflict-sides.tsx'
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
                  ? 'The step created the file, and it has been changed since.'
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
            <Sides>
              <Side title="Before the step" about="what undo brings back" text={region.before} kind="del" />
              <Side title="The step" about="what undo removes" text={region.step} />
              <Side title="Now" about={later.length === 0 ? 'with your change' : 'with later work'} text={region.now} kind="add" />
            </Sides>
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
