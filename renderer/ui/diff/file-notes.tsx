import type { ReactNode } from 'react'
import type { MakingCommand } from '../../../shared/session/fold/changed-files.ts'
import { Button } from '../controls/button.tsx'
import { ExactText, foreign } from '../text/exact-text.tsx'
import { MiddlePath } from '../text/middle-path.tsx'
import styles from './file-notes.module.css'
import type { StepTexts } from './step-texts.ts'

/** The old path of a moved file, shown beside its name. If `whole` is true, the path is not shortened, because it is signed. */
export function MovedFrom({ path, whole = false }: { readonly path: string; readonly whole?: boolean }): ReactNode {
  if (whole)
    return (
      <>
        moved from <ExactText text={path} />
      </>
    )
  return (
    <span className={styles.moved} data-moved>
      <span className={styles.words}>moved from </span>
      <MiddlePath path={path} />
    </span>
  )
}

interface MadeByProps {
  readonly makers: readonly MakingCommand[]
  /** Types of the subagents that changed the file. */
  readonly agents?: readonly string[] | undefined
}

/**
 * The subagents and commands that changed a file, shown beside its name: "code agent, made by npm run format". Renders nothing if there are
 * none.
 */
export function MadeBy({ makers, agents = [] }: MadeByProps): ReactNode {
  const words = agents.length === 0 ? '' : `${agents.join(', ')} ${agents.length === 1 ? 'agent' : 'agents'}`
  const [first, ...more] = makers.toReversed()
  if (!first) return words === '' ? null : <span className="dim">{foreign(words)}</span>
  return (
    <span className="dim" data-tip={makers.map(({ command }) => command.slice(0, 600)).join('\n')}>
      {words !== '' && <>{foreign(words)}, </>}
      {first.inBackground ? 'changed while ' : first.isFound ? 'found afterwards, made by ' : 'made by '}
      <code className={styles.command}>{foreign(first.command.split('\n', 1)[0] ?? '')}</code>
      {first.inBackground && ' ran'}
      {more.length > 0 && ` and ${more.length} more`}
    </span>
  )
}

interface Made {
  readonly madeBy: readonly MakingCommand[]
  readonly agents?: readonly string[] | undefined
}

/** What made most of the files of a list. */
export interface SharedMakers extends Made {
  readonly count: number
  readonly of: number
}

/** In a list with fewer files, each file names what made it. */
const MANY_MADE = 5

/**
 * The commands and subagents that made most files of a list, which are named once instead of at each file. Null if they made only a few.
 */
export function sharedMakers(files: readonly Made[]): SharedMakers | null {
  const groups = Map.groupBy(files, keyOfMakers)
  groups.delete(NO_MAKERS)
  const [largest = []] = [...groups.values()].toSorted((a, b) => b.length - a.length)
  const [first] = largest
  return first && largest.length >= MANY_MADE ? { ...first, count: largest.length, of: files.length } : null
}

const keyOfMakers = ({ madeBy, agents = [] }: Made): string => JSON.stringify([madeBy, agents])
const NO_MAKERS = keyOfMakers({ madeBy: [] })

/** Whether a file must name what made it, because the list's heading does not. */
export function hasOwnMakers(file: Made, shared: SharedMakers | null): boolean {
  const key = keyOfMakers(file)
  return key !== NO_MAKERS && (shared === null || key !== keyOfMakers(shared))
}

/** The head of a list of files: what made them. Renders nothing without shared makers. */
export function MadeByOnce({ shared }: { readonly shared: SharedMakers | null }): ReactNode {
  if (shared === null) return null
  const { count, of, madeBy, agents } = shared
  return (
    <p className={styles.once}>
      {count === of ? `All ${of} files` : `${count} of ${of} files`}
      {(agents ?? []).length > 0 ? ': ' : ' '}
      <MadeBy makers={madeBy} agents={agents} />
    </p>
  )
}

/** Shown in place of a diff while both versions of the file are loading, or when they could not be read. The user can then try again. */
export function MissingTexts({
  texts,
  className,
}: {
  readonly texts: Exclude<StepTexts, { kind: 'loaded' }>
  readonly className?: string | undefined
}): ReactNode {
  if (texts.kind === 'loading') return <p className={className}>Reading both versions…</p>
  return (
    <p className={className}>
      The two versions could not be read: {texts.message}{' '}
      <Button small onPress={texts.retry}>
        Read again
      </Button>
    </p>
  )
}

/** Sentences about created, deleted or otherwise changed folders in which no file changed. Renders nothing if there are none. */
export function ChangedFolders({ sentences }: { readonly sentences: readonly string[] }): ReactNode {
  return <Sentences label="Changed folders" sentences={sentences} />
}

/** What was left out of the folder comparisons after commands. Renders nothing if they were complete. */
export function LeftOut({ sentences }: { readonly sentences: readonly string[] }): ReactNode {
  return (
    <Sentences label="Not compared" sentences={sentences}>
      <p>Files that git ignores are never compared.</p>
    </Sentences>
  )
}

interface SentencesProps {
  readonly label: string
  readonly sentences: readonly string[]
  readonly children?: ReactNode
}

/** One sentence per line, then `children`. Renders nothing without sentences. */
function Sentences({ label, sentences, children }: SentencesProps): ReactNode {
  if (sentences.length === 0) return null
  return (
    <section className={styles.sentences} aria-label={label}>
      {sentences.map((sentence) => (
        <p key={sentence}>{foreign(sentence)}</p>
      ))}
      {children}
    </section>
  )
}
