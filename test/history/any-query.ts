import type { HistoryQuery } from '../../shared/api/history.ts'

/** A search without words and without limits. */
export const ANY: HistoryQuery = {
  words: '',
  foundIn: null,
  folder: null,
  sessionId: null,
  touched: '',
  order: 'newest',
  perSession: null,
  model: null,
  state: null,
  since: null,
  until: null,
}
