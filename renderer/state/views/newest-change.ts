import type { Item, SessionState } from '../../../shared/session/state.ts'
import { isUndoneStep } from '../../../shared/session/rollback.ts'
import { fileCounts } from '../../ui/format.ts'

/** The newest step that changed files and was not undone. */
export interface NewestChange {
  readonly step: number
  /** Number of the newest step before the turn that contains this change. 0 if there is none. */
  readonly turnFrom: number
  /** What that turn changed: "3 files created, 2 modified". */
  readonly words: string
}

/** Examines only the newest turn. Null if its loaded steps changed no files, or if all their changes were undone or cancel out. */
export function newestChange({
  items,
  firstItem,
  rollbacks,
}: Pick<SessionState, 'items' | 'firstItem' | 'rollbacks'>): NewestChange | null {
  const from = items.findLastIndex((item) => item.kind === 'user' && item.delivery !== 'steer')
  const turn = items.slice(Math.max(0, from))
  const calls = turn.flatMap((item) => (item.kind === 'call' ? [item] : []))
  const refused = turn.flatMap((item) => (item.kind === 'rollback' && item.target.kind === 'refused' ? item.files : []))
  const changing = calls.filter(({ files, step }) => files.length > 0 && !isUndoneStep(step, rollbacks))
  const step = changing.at(-1)?.step
  if (step === undefined) return null
  const message = items[from]
  const turnFrom = (message && stepBefore({ items, firstItem }, message)) ?? Math.max(0, (calls[0]?.step ?? 1) - 1)
  const first = new Map<string, boolean>()
  const last = new Map<string, boolean>()
  for (const { path, before, after } of [...changing.flatMap(({ files }) => files), ...refused]) {
    if (!first.has(path)) first.set(path, before === null)
    last.set(path, after === null)
  }
  const created = [...first].filter(([path, isNew]) => isNew && last.get(path) !== true).length
  const deleted = [...last].filter(([path, isGone]) => isGone && first.get(path) !== true).length
  const modified = [...first].filter(([path, isNew]) => !isNew && last.get(path) !== true).length
  const words = fileCounts({ created, modified, deleted })
  return words === '' ? null : { step, turnFrom, words }
}

/**
 * Caches the results for each list of entries. After each event, every message of a ledger needs its result again. A single pass over the
 * entries computes the results of all messages, so one pass per list is enough.
 */
const known = new WeakMap<readonly Item[], ReadonlyMap<string, number | null>>()

/** Returns the number of the newest step before a message. 0 if there is none. Null if that step is not among the loaded entries. */
export function stepBefore({ items, firstItem }: Pick<SessionState, 'items' | 'firstItem'>, { id }: Pick<Item, 'id'>): number | null {
  let steps = known.get(items)
  if (!steps) known.set(items, (steps = stepsBeforeMessages(items)))
  return steps.get(id) ?? (firstItem === 0 ? 0 : null)
}

function stepsBeforeMessages(items: readonly Item[]): ReadonlyMap<string, number | null> {
  const steps = new Map<string, number | null>()
  let step: number | null = null
  for (const item of items) {
    if (item.kind === 'call') ({ step } = item)
    else if (item.kind === 'user') steps.set(item.id, step)
  }
  return steps
}
