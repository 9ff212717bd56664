import { type ReactNode, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { ConflictChoice } from '../../../../shared/lib/lines/line-conflict.ts'
import type { UndoConflict } from '../../../../shared/session/undo-preview.ts'
import { Choices, Side, Sides } from '../../../ui/conflicts/conflict-sides.tsx'
import { HunkDiff } from '../../../ui/diff/hunk-diff.tsx'
import { Pane, PaneHead, PaneScroll } from '../../../ui/frame/panes/pane.tsx'
import { Mark } from '../../../ui/marks/mark.tsx'
import { capital } from '../../../ui/format.ts'
import { MiddlePath } from '../../../ui/text/middle-path.tsx'
import changes from '../changes.module.css'
import { MoveButtons } from '../diff-controls.tsx'
import type { Move } from '../review-files.ts'
import { usePageKeys } from '../../../state/hooks/use-desk-keys.ts'
import { nextUndecided, resultPatch, stepsWords } from './undo-words.ts'
import styles from './undo.module.css'
import type { UndoWork } from './use-undo.ts'

interface ConflictViewProps {
  readonly conflict: UndoConflict
  readonly work: UndoWork
  /** The step that is undone. */
  readonly step: string
  /** Index of the current region. */
  readonly current: number
  readonly onCurrent: (at: number) => void
  readonly move: (move: Move) => void
}

/**
 * A file in which later work changed the same lines. Each region shows the lines before the step, after the step and now, and asks for a
 * choice. Keys 1 and 2 choose for the current region and go to the next undecided region. Key 3 lets the user write the lines.
 */
export function ConflictView({ conflict, work, step, current, onCurrent, move }: ConflictViewProps): ReactNode {
  const { shown, regions, later, change } = conflict
  const choices = work.choicesFor(conflict)
  const page = useRef<HTMLDivElement>(null)
  const count = Math.max(1, regions.length)
  const choose = (at: number, choice: ConflictChoice): void => work.choose(conflict, at, choice)
  const byKey = (choice: 'before' | 'now'): void => {
    choose(current, choice)
    const next = nextUndecided(choices, current)
    if (next !== null) onCurrent(next)
  }
  const writeOwn = (): void => {
    flushSync(() => page.current?.querySelector<HTMLElement>('[data-current] [data-write]')?.click())
    page.current?.querySelector<HTMLElement>('[data-current] textarea')?.focus()
  }
  usePageKeys([
    { keys: '1', run: () => byKey('now') },
    { keys: '2', run: () => byKey('before') },
    { keys: '3', run: writeOwn },
  ])
  useEffect(() => {
    page.current?.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <Pane kind="work" label={`Conflict in ${shown}`} className={changes.review} ref={page}>
      <PaneHead
        title={<MiddlePath path={shown} className={changes.path} />}
        end={<MoveButtons where={`conflict ${current + 1} of ${count}`} move={move} />}
      />
      <PaneScroll label="Conflict">
        {regions.length === 0 && (
          <section className={styles.region} data-current="">
            <p className={changes.words}>
              {change.before === null
                ? 'The file has been deleted since.'
                : change.after === null
                  ? 'The step created the file, and it has been changed since.'
                  : 'The versions cannot be merged line by line.'}
            </p>
            <Choices
              hasKeys
              name="The whole file"
              choice={choices[0] ?? null}
              before={change.after === null ? 'Delete the file' : `Bring back the file from before ${step}`}
              now={change.before === null ? 'Leave it deleted' : 'Keep the file as it is now'}
              onChoose={(choice) => choose(0, choice)}
            />
          </section>
        )}
        {regions.map((region, index) => (
          <Region
            key={`${region.now.line} ${region.step.line}`}
            shown={shown}
            region={region}
            step={step}
            later={later}
            name={`Conflict ${index + 1} of ${regions.length}`}
            isCurrent={index === current}
            isOneOfSeveral={regions.length > 1}
            choice={choices[index] ?? null}
            onChoose={(choice) => choose(index, choice)}
          />
        ))}
      </PaneScroll>
    </Pane>
  )
}

interface RegionProps extends Pick<UndoConflict, 'shown' | 'later'> {
  readonly name: string
  readonly region: UndoConflict['regions'][number]
  readonly step: string
  readonly isCurrent: boolean
  readonly isOneOfSeveral: boolean
  readonly choice: ConflictChoice | null
  readonly onChoose: (choice: ConflictChoice) => void
}

function Region({ shown, later, name, region, step, isCurrent, isOneOfSeveral, choice, onChoose }: RegionProps): ReactNode {
  const who =
    later.length === 0 ? 'You changed the same lines later' : `The same lines were changed later, in ${stepsWords(later)} or by you`
  return (
    <section className={styles.region} aria-label={name} data-current={isCurrent ? '' : undefined}>
      <p className={styles.clash}>
        <Mark kind="pending" silent />
        <span>{who}</span>
        {isOneOfSeveral && <span>{name.toLowerCase()}</span>}
      </p>
      <Sides>
        <Side title={`Before ${step}`} about="what undo brings back" text={region.before} kind="del" />
        <Side title={capital(step)} about="what undo removes" text={region.step} />
        <Side title="Now" about={later.length === 0 ? 'with your change' : 'with later work'} text={region.now} kind="add" />
      </Sides>
      <Choices
        hasKeys={isCurrent}
        name={name}
        choice={choice}
        now="Keep these lines as they are now"
        before={`Bring back what was there before ${step}`}
        own={region.now.lines.join('\n')}
        onChoose={onChoose}
      />
      <Result path={shown} patch={resultPatch(region, choice ?? 'now')} />
    </section>
  )
}

/** What the choice would change in the current lines. Renders nothing if `patch` is null. */
function Result({ path, patch }: { readonly path: string; readonly patch: string | null }): ReactNode {
  if (patch === null) return null
  return (
    <section className={styles.result} aria-label="Result">
      <h3 className={styles.heading}>
        Result <span className="meta">against the lines as they are now</span>
      </h3>
      <HunkDiff path={path} patch={patch} />
    </section>
  )
}
