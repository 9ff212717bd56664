import { type ReactNode, useMemo, useState } from 'react'
import type { ConflictChoice, ConflictRegion } from '../../../../shared/lib/lines/line-conflict.ts'
import { withChoice } from '../../../state/stores/review-decisions.ts'
import { Choices, Side, Sides } from '../../../ui/conflicts/conflict-sides.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { HunkDiff } from '../../../ui/diff/hunk-diff.tsx'
import styles from './review.module.css'
import type { ReviewedFile } from './reviewed-files.ts'
import type { Review } from './use-request-review.ts'

interface LayerConflictsProps {
  readonly file: ReviewedFile
  readonly review: Review
}

/** Lines that were changed both in the layer (or clone) and in the folder. Each place needs a choice before signing. */
export function LayerConflicts({ file: { path, shown, conflicts }, review: { decided, change, from } }: LayerConflictsProps): ReactNode {
  const of = conflicts.length
  return conflicts.map((region, index) => (
    <LayerConflict
      key={`${region.now.line} ${region.step.line}`}
      region={region}
      place={from}
      shown={shown}
      name={`Conflict ${index + 1} of ${of} in ${shown}`}
      choice={decided.choices.get(path)?.[index] ?? null}
      onChoose={(choice) => change((known) => withChoice(known, { path, of }, index, choice))}
    />
  ))
}

interface LayerConflictProps {
  readonly region: ConflictRegion
  readonly place: Review['from']
  readonly shown: string
  readonly name: string
  readonly choice: ConflictChoice | null
  readonly onChoose: (choice: ConflictChoice) => void
}

function LayerConflict({ region, place, shown, name, choice, onChoose }: LayerConflictProps): ReactNode {
  const { now, before: layer, step: before } = region
  const [showsBefore, setShowsBefore] = useState(false)
  const patch = useMemo(() => choice && resultPatch(region, choice), [region, choice])
  return (
    <section className={styles.conflict} aria-label={name}>
      <Sides count={showsBefore ? 3 : 2}>
        <Side title="In the folder" about="as it is now" text={now} />
        <Side title={`In the ${place}`} about="as the session left it" text={layer} kind="add" />
        {showsBefore && <Side title="Before" about="what both began with" text={before} />}
      </Sides>
      <Choices
        name="Both sides changed these lines"
        choice={choice}
        now="The folder’s"
        before={`The ${place}’s`}
        both={{ words: 'Both, the folder’s first', text: [...now.lines, ...layer.lines].join('\n') }}
        own={now.lines.join('\n')}
        onChoose={onChoose}
      />
      <p className={styles.result}>
        {patch === null ? 'Choose one to see the result.' : patch === '' ? 'The folder’s lines stay.' : 'The result, against the folder'}
        <Button small variant="quiet" className="push" pressed={showsBefore} onPress={() => setShowsBefore(!showsBefore)}>
          Show before
        </Button>
      </p>
      {patch !== null && patch !== '' && <HunkDiff key={patch} path={shown} patch={patch} />}
    </section>
  )
}

/** What a choice changes in the folder's lines, in the unified format. Empty if it changes nothing. */
function resultPatch({ now, before: layer }: ConflictRegion, choice: ConflictChoice): string {
  if (choice === 'now') return ''
  const lines = choice === 'before' ? layer.lines : choice.text === '' ? [] : choice.text.split('\n')
  if (lines.join('\n') === now.lines.join('\n')) return ''
  const head = `@@ -${now.line},${now.lines.length} +${now.line},${lines.length} @@`
  return [head, ...now.lines.map((line) => `-${line}`), ...lines.map((line) => `+${line}`), ''].join('\n')
}
