import { z } from 'zod'
import type { CopyChange } from '../../../agent/ports/command-copies.ts'
import { copiedEntrySchema, ignoredTreeSchema, standingEntrySchema } from '../changes/change-set-schema.ts'

const path = z.string()
const mode = z.int()

/**
 * One step of applying. Each step can be undone, whether or not it was taken. `staged` and `aside` are names of files in the staging
 * folder.
 */
export const stepSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('lock'), path, token: z.string() }).readonly(),
  z.object({ kind: z.literal('remove'), path, aside: z.string(), before: standingEntrySchema }).readonly(),
  z.object({ kind: z.literal('put'), path, staged: z.string(), after: copiedEntrySchema }).readonly(),
  z.object({ kind: z.literal('put-tree'), path, staged: z.string(), tree: ignoredTreeSchema }).readonly(),
  z.object({ kind: z.literal('make-folder'), path, mode, owner: z.string().exactOptional() }).readonly(),
  z.object({ kind: z.literal('remove-folder'), path, mode }).readonly(),
  z.object({ kind: z.literal('set-mode'), path, before: mode, after: mode }).readonly(),
])
export type Step = z.infer<typeof stepSchema>

/** The order of git's parts: a ref must never refer to an object that does not exist yet, and the index comes last. */
const GIT_ORDER: readonly RegExp[] = [/^\.git\/objects(?:$|\/(?!pack\/))/, /^\.git\/objects\/pack\/.*\.pack$/, /^\.git\/objects\//]
const GIT_REFS = /^\.git\/(?:refs(?:$|\/)|packed-refs$)/

/** Files are removed before folders replace them. Git's objects are removed last, when no ref refers to them. */
function rankOf(path: string, isRemoval: boolean): number {
  const object = GIT_ORDER.findIndex((pattern) => pattern.test(path))
  if (object !== -1) return isRemoval ? 10 : 2 + object
  if (GIT_REFS.test(path)) return isRemoval ? 6 : 7
  if (path === '.git/HEAD') return 8
  if (path === '.git/index') return 9
  if (path.startsWith('.git/')) return 5
  if (path === '.git' && isRemoval) return 11
  return isRemoval ? 0 : 1
}

interface Ranked {
  readonly rank: number
  readonly steps: readonly Step[]
}

/** The steps in the order in which they are taken. */
export function stepsOf(changes: readonly CopyChange[]): readonly Step[] {
  const byPath = changes.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  const numbered = byPath.map((change, index) => ({ change, index }))
  // The deepest entries come first, so that folders are empty when they are removed.
  const removals = numbered.toReversed().flatMap(({ change, index }) => (change.kind === 'deleted' ? [removal(change, index)] : []))
  const others = numbered.flatMap(({ change, index }) => (change.kind === 'deleted' ? [] : [replacement(change, index)]))
  const modes = byPath.flatMap(folderMode)
  return [...removals, ...others]
    .toSorted((a, b) => a.rank - b.rank)
    .flatMap(({ steps }) => steps)
    .concat(modes.toReversed())
}

function removal({ path, before }: Extract<CopyChange, { kind: 'deleted' }>, index: number): Ranked {
  const rank = rankOf(path, true)
  if (before.kind === 'folder') return { rank, steps: [{ kind: 'remove-folder', path, mode: before.mode }] }
  return { rank, steps: [{ kind: 'remove', path, aside: `old-${index}`, before }] }
}

function replacement(change: Exclude<CopyChange, { kind: 'deleted' }>, index: number): Ranked {
  const { path, after } = change
  const rank = rankOf(path, false)
  if (after.kind === 'folder')
    return {
      rank,
      steps:
        change.kind === 'created'
          ? [{ kind: 'make-folder', path, mode: after.mode, ...(after.owner !== undefined && { owner: after.owner }) }]
          : [],
    }
  if (after.kind === 'tree') return { rank, steps: [{ kind: 'put-tree', path, staged: `tree-${index}`, tree: after }] }
  const put: Step = { kind: 'put', path, staged: `new-${index}`, after }
  const remove: readonly Step[] = change.kind === 'modified' ? [{ kind: 'remove', path, aside: `old-${index}`, before: change.before }] : []
  return { rank, steps: [...remove, put] }
}

/** These steps are taken after all others, starting with the deepest folder, because a folder may become read-only. */
function folderMode(change: CopyChange): readonly Step[] {
  if (change.kind === 'deleted' || change.after.kind !== 'folder') return []
  const { path, after } = change
  if (change.kind === 'created')
    return after.mode === (after.mode | 0o700) ? [] : [{ kind: 'set-mode', path, before: after.mode | 0o700, after: after.mode }]
  return change.before.kind === 'folder' ? [{ kind: 'set-mode', path, before: change.before.mode, after: after.mode }] : []
}
