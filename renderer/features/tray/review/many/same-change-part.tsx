import { type ReactNode, useEffect, useRef, useState } from 'react'
import { choiceOf, kept, refused } from '../../../../state/stores/review-decisions.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Check } from '../../../../ui/controls/check.tsx'
import { HunkDiff } from '../../../../ui/diff/hunk-diff.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { added, counted, removed } from '../../../../ui/format.ts'
import { ExactText } from '../../../../ui/text/exact-text.tsx'
import { CHOICE_WORDS, choiceCounts, ChoiceButtons } from '../choice-buttons.tsx'
import type { ReviewedFile } from '../reviewed-files.ts'
import type { Review } from '../use-request-review.ts'
import styles from './many.module.css'
import { type Folder, type SameChange, withoutContext } from './same-changes.ts'

interface SameChangePartProps {
  readonly change: SameChange
  readonly review: Review
}

/** The same change in several files: its lines, shown once, and a check box for each folder. The files can be listed. */
export function SameChangePart({ change: { first, count, folders }, review }: SameChangePartProps): ReactNode {
  const [isListed, setListed] = useState(false)
  const files = folders.flatMap((folder) => folder.files)
  const words = `in ${counted(count, 'file')}`
  return (
    <section aria-label={`The same change ${words}`} data-same-change={count}>
      <ListHead title={`The same ${first.file?.before === null ? 'new file' : 'change'} ${words}`} about="shown once">
        <Lines files={files} />
        <ChoiceButtons name={counted(count, 'file')} keys={keysOf(files)} review={review} all />
        <Button
          small
          variant="quiet"
          expanded={isListed}
          label={`${isListed ? 'Hide the list of' : 'List'} the ${counted(count, 'file')}`}
          onPress={() => setListed(!isListed)}
        >
          {isListed ? 'Hide the list' : 'List'}
        </Button>
      </ListHead>
      {first.hunks?.map(({ key, place }) => (
        <HunkDiff key={key} path={first.shown} patch={withoutContext(place)} />
      ))}
      <ul className={styles.folders}>
        {folders.map((folder) => (
          <FolderRow key={folder.name} folder={folder} isListed={isListed} review={review} />
        ))}
      </ul>
    </section>
  )
}

interface FolderRowProps {
  readonly folder: Folder
  readonly isListed: boolean
  readonly review: Review
}

function FolderRow({ folder: { name, files }, isListed, review }: FolderRowProps): ReactNode {
  const { decided, current, change } = review
  const box = useRef<HTMLLIElement>(null)
  const keys = keysOf(files)
  const isCurrent = current !== undefined && keys.includes(current.key)
  const isChosen = decided.current !== null && keys.includes(decided.current)
  useEffect(() => {
    if (isChosen) box.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const decide = (isKept: boolean, own: readonly string[]): void =>
    change((known) => ({ ...(isKept ? kept(known, own) : refused(known, own)), current: own[0] ?? known.current }))
  const place = name === '' ? 'the project folder itself' : name
  return (
    <li ref={box} className={classNames(isCurrent && styles.current)} aria-current={isCurrent || undefined}>
      <div className={styles.row}>
        <Check
          label={`${counted(files.length, 'file')} in ${place}`}
          labelHidden
          checked={keys.some((key) => !decided.refused.has(key))}
          onChange={(isKept) => decide(isKept, keys)}
        />
        <span className={name === '' ? undefined : 'path'}>{name === '' ? 'Project folder' : <ExactText text={name} />}</span>
        <span className={styles.end}>
          <span className="meta">
            {[counted(files.length, 'file'), choiceCounts(decided, keys)].filter((part) => part !== '').join(', ')}
          </span>
          <Lines files={files} />
          <ChoiceButtons name={`the change in ${place}`} keys={keys} review={review} offers={['later']} />
        </span>
      </div>
      {isListed && (
        <ul>
          {files.map(({ path, shown }) => (
            <li key={path} className={classNames(styles.row, styles.inner)}>
              <Check
                label={shown}
                labelHidden
                checked={!decided.refused.has(path)}
                onChange={(isKept) => change((known) => (isKept ? kept(known, [path]) : refused(known, [path])))}
              />
              <span className="path">
                <ExactText text={shown.slice(name.length)} />
              </span>
              <span className={styles.end}>
                {decided.refused.has(path) && <span className="meta">{CHOICE_WORDS[choiceOf(decided, path)]}</span>}
                <ChoiceButtons name={shown} keys={[path]} review={review} offers={['later']} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

interface ListHeadProps {
  readonly title: string
  readonly about: string
  /** Line counts and buttons at the right. */
  readonly children: ReactNode
}

/** The heading above the files of one kind of change. */
export function ListHead({ title, about, children }: ListHeadProps): ReactNode {
  return (
    <div className={styles.head}>
      <h3 className={styles.title}>{title}</h3>
      <span className="dim">{about}</span>
      <span className={styles.end}>{children}</span>
    </div>
  )
}

function Lines({ files }: { readonly files: readonly ReviewedFile[] }): ReactNode {
  const places = files.flatMap(({ hunks }) => hunks ?? []).map(({ place }) => place)
  const plus = places.reduce((sum, place) => sum + place.added, 0)
  const minus = places.reduce((sum, place) => sum + place.removed, 0)
  return (
    <span className={styles.counts}>
      <span className="add">{added(plus)}</span>
      {minus > 0 && <span className="del">{removed(minus)}</span>}
    </span>
  )
}

const keysOf = (files: readonly ReviewedFile[]): readonly string[] => files.flatMap(({ pieces }) => pieces.map(({ key }) => key))
