import type { FolderComparison, FoundChange, FoundChanges } from '../agent/ports/folder-comparison.ts'

/** A comparison without gaps: each step is compared with the end of the step before it. `Step` identifies a step. */
export interface ChangesSinceLastStep<Step extends object> extends FolderComparison {
  /** Starts again from the current files. Earlier changes belong to no step. */
  restart(): Promise<void>
  /**
   * Sets which step ends next. It gets the changes that were read for it, and of those that were read for no step, the first ones that
   * `isOfStep` accepts. The rest belongs to later steps. `path`: relative to the folder. `onRead` is called when the step has its changes.
   */
  decide(step: Step, isOfStep: (path: string) => boolean, onRead: () => void): void
  /** Reads the changes before the agent begins its next step. They belong to `owner`, or to one of the earlier steps if that is null. */
  read(owner: Step | null): Promise<void>
  /** Whether something has changed since the last step. The changes belong to the next step. */
  hasMore(): Promise<boolean>
}

interface Ending<Step> {
  readonly step: Step | null
  isOfStep(path: string): boolean
  onRead(): void
}

/**
 * The changes that were found at one time. `owner`: the step to which they belong. Null if that is not known yet. `isComplete`: whether the
 * agent had finished its earlier steps, so that later changes belong to other steps.
 */
interface Reading<Step> {
  readonly owner: Step | null
  readonly isComplete: boolean
  readonly found: FoundChanges
}

/**
 * A third-party agent does not wait for Countersign: it may change files before its step begins here, and go on before the step ends here.
 * So a step gets what changed since the end of the step before it, except what belongs to later steps.
 */
export function changesSinceLastStep<Step extends object>(comparison: FolderComparison): ChangesSinceLastStep<Step> {
  let current: Awaited<ReturnType<FolderComparison['begin']>> | null = null
  /** The changes that were not given to a step yet, oldest first. */
  let waiting: readonly Reading<Step>[] = []
  let ending: Ending<Step> = ANY
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
  const look = async (owner: Step | null, isComplete: boolean): Promise<void> => {
    const run = current ?? (await comparison.begin())
    const found = await run.end()
    // The agent goes on meanwhile, so a second reading would already contain changes that the first one does not.
    current = run.next?.() ?? (await comparison.begin())
    waiting = [...waiting, { owner, isComplete, found }]
  }
  const take = (): FoundChanges => {
    const { step, isOfStep, onRead } = ending
    ending = ANY
    const end = endOfStep(waiting, step, isOfStep)
    const takes = (reading: Reading<Step>, { path }: FoundChange): boolean =>
      reading.owner === null ? waiting.indexOf(reading) <= end && isOfStep(path) : reading.owner === step
    const part = (reading: Reading<Step>, isTaken: boolean): FoundChanges => ({
      ...reading.found,
      changes: reading.found.changes.filter((change) => takes(reading, change) === isTaken),
    })
    const taken = waiting.map((reading) => part(reading, true)).reduce(joined, NOTHING)
    waiting = waiting
      .map((reading) => ({ ...reading, found: { ...NOTHING, changes: part(reading, false).changes } }))
      .filter(({ found }) => found.changes.length > 0)
    onRead()
    return taken
  }
  return {
    prepare: comparison.prepare,
    dispose: comparison.dispose,
    async begin() {
      await inOrder(async () => (current ??= await comparison.begin()))
      return {
        end: () => inOrder(() => look(null, false).then(take)),
        drop: () => {},
      }
    },
    decide(step, isOfStep, onRead) {
      ending = { step, isOfStep, onRead }
    },
    read: (owner) => inOrder(() => look(owner, true)),
    restart: () =>
      inOrder(async () => {
        current?.drop()
        waiting = []
        current = await comparison.begin()
      }),
    hasMore: () =>
      inOrder(async () => {
        await look(null, false)
        return waiting.some(({ found }) => found.changes.length > 0 || found.folders.length > 0)
      }),
  }
}

/** The index of the last reading that may have changes of this step: the last reading for it, or else the first complete one for no step. */
function endOfStep<Step>(waiting: readonly Reading<Step>[], step: Step | null, isOfStep: (path: string) => boolean): number {
  const own = waiting.findLastIndex(({ owner, found }) => owner !== null && owner === step && found.changes.length > 0)
  if (own !== -1) return own
  const complete = waiting.findIndex(
    ({ owner, isComplete, found }) => owner === null && isComplete && found.changes.some(({ path }) => isOfStep(path)),
  )
  return complete === -1 ? waiting.length : complete
}

const ANY: Ending<never> = { step: null, isOfStep: () => true, onRead: () => {} }

const NOTHING: FoundChanges = { changes: [], folders: [], files: 0, leftOut: [] }

/** Joins the results of two consecutive comparisons. */
function joined(first: FoundChanges, second: FoundChanges): FoundChanges {
  const changes = new Map<string, FoundChange>(first.changes.map((change) => [change.path, change]))
  for (const change of second.changes) {
    const before = changes.get(change.path)?.before
    changes.set(change.path, before === undefined ? change : { ...change, before })
  }
  return {
    changes: [...changes.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    folders: [...first.folders, ...second.folders],
    files: Math.max(first.files, second.files),
    leftOut: [...new Set([...first.leftOut, ...second.leftOut])],
  }
}
