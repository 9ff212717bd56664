import type { MovedFrom } from '../effects.ts'
import { type FileChange, type FolderChange, foldersWithoutFiles, type MadeBy } from '../file-change.ts'
import type { CallItem, SessionState } from '../state.ts'
import { naturalOrder } from '../../lib/natural-order.ts'
import { withMoves } from '../touched-files.ts'

/** A file that a session's steps changed. Derived from the session's state, never stored. */
export interface ChangedFile {
  readonly path: string
  readonly shown: string
  /** The bytes before the first step that changed the file. The next field contains the bytes after the newest step that changed it. */
  readonly before: FileChange['before']
  readonly after: FileChange['after']
  readonly steps: readonly number[]
  /** The old path of a moved file, which contained `before`. If absent, the file was not moved. */
  readonly movedFrom?: MovedFrom | undefined
  /** Set if the path is or was a symbolic link. The bytes are then its target. If absent, it is a regular file. */
  readonly isLink?: true
  /** POSIX permission bits before and after. If absent, the bits have not changed. */
  readonly modes?: readonly [number, number] | undefined
  /** The commands that changed the file, oldest first, each once. */
  readonly madeBy: readonly MakingCommand[]
  /** Types of the subagents that changed the file in the folder itself, each once. If absent, there are none. */
  readonly agents?: readonly string[] | undefined
}

export interface MakingCommand {
  readonly command: string
  /** Whether the change was found afterwards, by comparing the folder. */
  readonly isFound: boolean
  /** Set if the command only ran in the background while the file was changed. If absent, the command changed the file. */
  readonly inBackground?: true
}

/** The files that this session's steps changed, by path. A file that is back in its state before the first step is left out. */
export function changedFiles(items: SessionState['items']): readonly ChangedFile[] {
  return createFilesOfItems()(items)
}

/** Returns a function that computes `changedFiles`. It reads only the new entries if the list has grown since its last call. */
export function createFilesOfItems(): typeof changedFiles {
  let changes = createChangedFiles()
  let added: SessionState['items'] = []
  let step = 0
  return (items) => {
    if (added.some((item, at) => item !== items[at])) {
      changes = createChangedFiles()
      added = []
      step = 0
    }
    for (const item of items.slice(added.length)) {
      if (item.kind === 'call') changes.add({ ...item, step: (step = item.step) })
      else if (item.kind === 'rollback') changes.add({ step, files: item.files })
    }
    added = items
    return changes.files()
  }
}

/**
 * The folders that this session's steps created or deleted, or whose permission bits they changed, except those that contain a changed
 * file. If the list grows, pass a function of `createFilesOfItems` as `filesOf`, so that earlier entries are not read again.
 */
export function changedFolders(items: SessionState['items'], filesOf = changedFiles): readonly FolderChange[] {
  const changing = items.filter((item) => item.kind === 'call' || item.kind === 'rollback')
  const changes = changing.flatMap((item) => item.folders ?? [])
  if (changes.length === 0) return []
  const folders = new Map<string, FolderChange>()
  for (const change of changes) folders.set(change.path, { ...change, before: (folders.get(change.path) ?? change).before })
  return foldersWithoutFiles(
    [...folders.values()].toSorted((a, b) => naturalOrder(a.shown, b.shown)),
    filesOf(items),
  )
}

/**
 * Computes `changedFiles` step by step. The cost of adding a step does not depend on the number of earlier steps, and the files stay almost
 * in order, so that sorting them again is cheap.
 */
export interface ChangedFiles {
  /** `agentType` is the type of the subagent that made the step. If absent or null, the session's own agent made the step. */
  add(step: Pick<CallItem, 'step' | 'files' | 'madeBy'> & { readonly agentType?: string | null }): void
  files(): readonly ChangedFile[]
}

type Merged = Omit<ChangedFile, 'steps' | 'modes'> & Pick<FileChange, 'beforeMode' | 'afterMode'> & { readonly steps: Set<number> }
type Step = Pick<CallItem, 'step' | 'madeBy'> & { readonly agentType?: string | null }

export function createChangedFiles(): ChangedFiles {
  const files = new Map<string, Merged>()
  // The order is kept from one result to the next, because sorting a list that is almost in order is much cheaper.
  const order: Pick<Merged, 'path' | 'shown'>[] = []
  return {
    add({ files: changed, ...step }) {
      for (const file of changed) {
        if (!files.has(file.path)) order.push(file)
        const movedFrom = file.movedFrom && (files.get(file.movedFrom.path)?.movedFrom ?? file.movedFrom)
        files.set(file.path, merged(files.get(file.path), { ...file, ...(movedFrom && { movedFrom }) }, step))
      }
    },
    files() {
      const all = order
        .sort((a, b) => naturalOrder(a.shown, b.shown))
        .flatMap(({ path }) => files.get(path) ?? [])
        .map(({ beforeMode, afterMode, ...file }) => ({ ...file, steps: inOrder(file.steps), ...modesOf({ beforeMode, afterMode }) }))
      return withMoves(all.filter((file) => file.before !== file.after || file.modes)).map((file) => {
        const old = file.movedFrom && files.get(file.movedFrom.path)
        if (!old) return file
        return { ...file, steps: inOrder(new Set([...old.steps, ...file.steps])), madeBy: distinct([...old.madeBy, ...file.madeBy]) }
      })
    },
  }
}

/** The permission bits before and after, if they differ, of a file that exists on both sides. Otherwise empty. */
export function modesOf({ beforeMode, afterMode }: Pick<FileChange, 'beforeMode' | 'afterMode'>): Pick<ChangedFile, 'modes'> {
  return beforeMode === null || afterMode === null || beforeMode === afterMode ? {} : { modes: [beforeMode, afterMode] }
}

function merged(earlier: Merged | undefined, file: FileChange, { step, madeBy, agentType }: Step): Merged {
  const { path, shown, after, beforeMode, afterMode, movedFrom } = file
  const moved = movedFrom && { movedFrom }
  const makers = makersOf(madeBy)
  const link = linkOf(file)
  const types = [...new Set([...(earlier?.agents ?? []), ...(agentType ? [agentType] : [])])]
  const agents = types.length > 0 && { agents: types }
  if (!earlier)
    return {
      path,
      shown,
      before: file.before,
      after,
      beforeMode,
      afterMode,
      steps: new Set([step]),
      madeBy: makers,
      ...moved,
      ...link,
      ...agents,
    }
  // If the moved file is no longer at this path, a new file here is a different file, so `movedFrom` is dropped.
  const { movedFrom: earlierFrom, ...known } = earlier
  const still = earlierFrom && earlier.after !== null && { movedFrom: earlierFrom }
  return {
    ...known,
    after,
    afterMode,
    steps: earlier.steps.add(step),
    madeBy: distinct([...earlier.madeBy, ...makers]),
    ...still,
    ...moved,
    ...link,
    ...agents,
  }
}

/** Returns whether a file is or was a symbolic link, as a member of `ChangedFile`. */
export const linkOf = ({ beforeKind, afterKind }: Pick<FileChange, 'beforeKind' | 'afterKind'>): Pick<ChangedFile, 'isLink'> =>
  beforeKind === 'link' || afterKind === 'link' ? { isLink: true } : {}

/** The command of a step as a list. Empty for an edit tool. */
export function makersOf(madeBy: MadeBy | undefined): readonly MakingCommand[] {
  if (!madeBy) return []
  const { command, compared, inBackground } = madeBy
  return [{ command, isFound: compared !== undefined, ...(inBackground && { inBackground }) }]
}

function distinct(makers: readonly MakingCommand[]): readonly MakingCommand[] {
  const byWords = new Map(makers.map((maker) => [`${maker.isFound} ${maker.command}`, maker]))
  return byWords.size === makers.length ? makers : [...byWords.values()]
}

function inOrder(steps: ReadonlySet<number>): readonly number[] {
  return [...steps].toSorted((a, b) => a - b)
}
