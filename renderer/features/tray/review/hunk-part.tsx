import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { choiceOf, type Decided, discarded, withVersion } from '../../../state/stores/review-decisions.ts'
import { useWritersMenu } from '../../../tools/view/line-writers.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { type VersionDiff, versionDiff } from '../../../ui/diff/compare/version-patch.ts'
import { HunkDiff, removedPart, shiftedPatch } from '../../../ui/diff/hunk-diff.tsx'
import { added, removed } from '../../../ui/format.ts'
import { ExactPath } from '../../../ui/text/exact-text.tsx'
import { HunkBar } from '../../../ui/ledger/hunk-bar.tsx'
import { CHOICE_MARK_WORDS, CHOICE_MARKS, CHOICE_WORDS, ChoiceButtons } from './choice-buttons.tsx'
import { HunkEditor } from './hunk-editor.tsx'
import styles from './review.module.css'
import type { ShownHunk } from './reviewed-files.ts'
import type { Review } from './use-request-review.ts'

/** Which hunks show their lines at first: all of them, the current one, or those with the user's version. */
export type Unfolds = 'all' | 'current' | 'versions'

export interface HunkPartProps {
  readonly hunk: ShownHunk
  readonly shown: string
  /** The path to be shown in the head in place of the name. Null if a row above shows it. */
  readonly path: string | null
  /** A note about the file, shown with the path. */
  readonly note: ReactNode
  readonly review: Review
  /** By how many lines the decisions about earlier hunks of the file move this hunk. */
  readonly shift: number
  readonly unfolds: Unfolds
}

/** One hunk: its state, its available actions, its lines, and a text field while it is edited. */
export function HunkPart({ hunk, shown, path, note, review, shift, unfolds }: HunkPartProps): ReactNode {
  const { key, text, place } = hunk
  const { decided, current, change } = review
  const box = useRef<HTMLDivElement>(null)
  const isCurrent = current?.key === key
  const isEditing = decided.editing === key
  const choice = choiceOf(decided, key)
  const version = decided.edits.get(key)
  const signed = useMemo(() => signedDiff(hunk, version), [hunk, version])
  const isOpen = isEditing || (decided.unfolded.get(key) ?? isUnfolded(unfolds, isCurrent, version !== undefined))
  const isChosen = decided.current === key
  useEffect(() => {
    if (isChosen) box.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen, isEditing])
  const state = isEditing ? 'you are editing' : choice === 'kept' && version !== undefined ? 'your version' : CHOICE_WORDS[choice]
  const name = place.name ?? (review.pieces.length > 1 ? `Hunk ${review.pieces.indexOf(hunk) + 1}` : 'This hunk')
  /** Ends the editing and returns the focus to the tray, so that the tray's keys work again. */
  const leave = (next: (known: Decided) => Decided): void => {
    change(next)
    box.current?.closest<HTMLElement>('[role=group]')?.focus({ preventScroll: true })
  }
  const use = (): void => leave((known) => withVersion(known, hunk, known.drafts.get(key) ?? version ?? text))
  return (
    <div ref={box}>
      <HunkBar
        where={place.after[1] > place.after[0] ? linesOf(place.after, shift) : linesOf(place.before, 0)}
        mark={isEditing ? 'proposed' : CHOICE_MARKS[choice]}
        markWord={isEditing ? 'Being edited' : CHOICE_MARK_WORDS[choice]}
        current={isCurrent}
        what={
          <>
            {path === null ? (
              <span className={place.name === null ? undefined : 'path'}>{name}</span>
            ) : (
              <FileName path={path} note={note} />
            )}{' '}
            <span className={isEditing || version !== undefined ? styles.mine : 'soft'}>{state}</span>
          </>
        }
        actions={
          isEditing ? (
            <>
              <Button small keys="Mod+S" onPress={use}>
                Use my version
              </Button>
              <Button small variant="quiet" onPress={() => leave((known) => discarded(known, key))}>
                Discard
              </Button>
            </>
          ) : (
            <Actions hunk={hunk} name={path ?? name} shown={shown} review={review} isOpen={isOpen} signed={signed} />
          )
        }
      >
        {isEditing ? (
          <>
            {place.removed > 0 && (
              <Lines key={shift} hunk={hunk} shown={shown} review={review} shift={shift} patch={removedPart(place.patch)} />
            )}
            <HunkEditor
              label={`Your version of ${name} in ${shown}`}
              path={shown}
              from={place.after[0] + 1 + shift}
              text={decided.drafts.get(key) ?? version ?? text}
              onType={(typed) => change((known) => ({ ...known, drafts: new Map(known.drafts).set(key, typed) }))}
              onUse={use}
              onLeave={() => leave((known) => ({ ...known, editing: null }))}
            />
          </>
        ) : isOpen ? (
          <Lines key={`${shift} ${version}`} hunk={hunk} shown={shown} review={review} shift={shift} patch={signed.patch} />
        ) : undefined}
      </HunkBar>
    </div>
  )
}

function isUnfolded(unfolds: Unfolds, isCurrent: boolean, isVersion: boolean): boolean {
  if (unfolds === 'all') return true
  return unfolds === 'current' ? isCurrent : isVersion
}

/** The complete path of a file in the head of its only part. */
export function FileName({ path, note }: { readonly path: string; readonly note: ReactNode }): ReactNode {
  return (
    <>
      <span className="path">
        <ExactPath path={path} />
      </span>{' '}
      {note !== null && <span className="soft">{note}, </span>}
    </>
  )
}

/** What signing this hunk would change: the proposed lines, or the user's version of them. */
export function signedDiff({ place }: Pick<ShownHunk, 'place'>, version: string | undefined): VersionDiff {
  return version === undefined ? place : versionDiff(place.patch, version)
}

interface LinesProps extends Pick<HunkPartProps, 'hunk' | 'shown' | 'review' | 'shift'> {
  readonly patch: string
}

/** The lines of a hunk, and who wrote the line that the user asked about. */
function Lines({ hunk: { path }, shown, review: { sessionId, sidesOf }, shift, patch }: LinesProps): ReactNode {
  const sides = useMemo(() => sidesOf(path), [sidesOf, path])
  return <HunkDiff path={shown} patch={shiftedPatch(patch, shift)} {...useWritersMenu(sessionId, sides)} />
}

interface ActionsProps extends Pick<HunkPartProps, 'hunk' | 'shown' | 'review'> {
  /** Names the part for screen readers. */
  readonly name: string
  readonly isOpen: boolean
  readonly signed: VersionDiff
}

function Actions({ hunk, name, shown, review, isOpen, signed }: ActionsProps): ReactNode {
  const { decided, current, hasKeys, change } = review
  const { key } = hunk
  const isCurrent = hasKeys && current?.key === key
  return (
    <>
      <span className={styles.counts}>
        <span className="add">{added(signed.added)}</span> <span className="del">{removed(signed.removed)}</span>
      </span>
      <ChoiceButtons name={name} keys={[key]} review={review} hasKeys={isCurrent} />
      <Button
        small
        variant="quiet"
        keys={isCurrent ? 'E' : undefined}
        disabledReason={decided.editing === null ? null : 'Finish the hunk that is being edited first.'}
        onPress={() => change((known) => ({ ...known, current: key, editing: key }))}
      >
        Edit
      </Button>
      <Button
        small
        variant="quiet"
        expanded={isOpen}
        label={`${isOpen ? 'Hide' : 'Show'} the lines in ${shown}`}
        onPress={() => change((known) => ({ ...known, unfolded: new Map(known.unfolded).set(key, !isOpen) }))}
      >
        {isOpen ? 'Hide' : 'Show'}
      </Button>
    </>
  )
}

const linesOf = ([from, to]: readonly [number, number], shift: number): string =>
  to - from <= 1 ? `${from + 1 + shift}` : `${from + 1 + shift}–${to + shift}`
