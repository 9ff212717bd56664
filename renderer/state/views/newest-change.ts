import type { SessionState } from '../../../shared/session/state.ts'
import { isUndoneStep } from '../../../shared/session/rollback.ts'
import { counted } from '../../ui/format.ts'

/** The newest step that changed files and was not undone. */
export interface NewestChange {
  readonly step: number
  /** Number of the newest step before the turn of that step. 0 if there is none. */
  readonly turnFrom: number
  /** What that turn changed: "3 files created, 2 modified". */
  readonly words: string
}

/** Null if no loaded step changed files. Only the newest turn is examined. */
export function newestChange({ items, rollbacks }: Pick<SessionState, 'items' | 'rollbacks'>): NewestChange | null {
  const from = items.findLastIndex((item) => item.kind === 'user' && item.delivery !== 'steer')
  const calls = items.slice(Math.max(0, from)).flatMap((item) => (item.kind === 'call' ? [item] : []))
  const changing = calls.filter(({ files, step }) => files.length > 0 && !isUndoneStep(step, rollbacks))
  const step = changing.at(-1)?.step
  if (step === undefined) return null
  const earlier = items.slice(0, Math.max(0, from)).findLast((item) => item.kind === 'call')
  const turnFrom = earlier?.kind === 'call' ? earlier.step : Math.max(0, (calls[0]?.step ?? 1) - 1)
  const first = new Map<string, boolean>()
  const last = new Map<string, boolean>()
  for (const { path, before, after } of changing.flatMap(({ files }) => files)) {
    if (!first.has(path)) first.set(path, before === null)
    last.set(path, after === null)
  }
  const created = [...first].filter(([path, isNew]) => isNew && last.get(path) !== true).length
  const deleted = [...last].filter(([path, isGone]) => isGone && first.get(path) !== true).length
  const modified = [...first].filter(([path, isNew]) => !isNew && last.get(path) !== true).length
  const parts = [
    { count: created, verb: 'created' },
    { count: modified, verb: 'modified' },
    { count: deleted, verb: 'deleted' },
  ].filter(({ count }) => count > 0)
  const words = parts.map(({ count, verb }, index) => (index === 0 ? `${counted(count, 'file')} ${verb}` : `${count} ${verb}`)).join(', ')
  return words === '' ? null : { step, turnFrom, words }
}
