import type { FolderComparison, FoundChange, FoundChanges } from '../agent/ports/folder-comparison.ts'

/** A comparison without gaps: each step is compared with the end of the step before it. */
export interface ChangesSinceLastStep extends FolderComparison {
  /** Starts again from the current files. Earlier changes belong to no step. */
  restart(): Promise<void>
  /** Decides which changed files belong to the step that ends next. The others belong to the step after it. `path`: relative to the folder. */
  decide(isOfStep: (path: string) => boolean): void
  /** Whether something has changed since the last step. The changes belong to the next step. */
  hasMore(): Promise<boolean>
}

/**
 * A third-party agent does not wait for Countersign: it may change files before its step begins here, and go on before the step ends here.
 * So a step gets what changed since the end of the step before it, except what belongs to later steps.
 */
export function changesSinceLastStep(comparison: FolderComparison): ChangesSinceLastStep {
  let current: Awaited<ReturnType<FolderComparison['begin']>> | null = null
  /** Changes that do not belong to a step yet. */
  let waiting: FoundChanges = NOTHING
  let isOfStep = (_path: string): boolean => true
  const look = async (): Promise<void> => {
    const run = current ?? (await comparison.begin())
    const found = await run.end()
    current = await comparison.begin()
    waiting = joined(waiting, found)
  }
  return {
    prepare: comparison.prepare,
    dispose: comparison.dispose,
    async begin() {
      current ??= await comparison.begin()
      return {
        async end() {
          await look()
          const all = waiting
          const takes = isOfStep
          isOfStep = () => true
          waiting = { ...NOTHING, changes: all.changes.filter(({ path }) => !takes(path)) }
          return { ...all, changes: all.changes.filter(({ path }) => takes(path)) }
        },
        drop: () => {},
      }
    },
    decide(how) {
      isOfStep = how
    },
    async restart() {
      current?.drop()
      waiting = NOTHING
      current = await comparison.begin()
    },
    async hasMore() {
      await look()
      return waiting.changes.length > 0 || waiting.folders.length > 0
    },
  }
}

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
