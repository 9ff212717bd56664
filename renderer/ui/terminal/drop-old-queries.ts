import type { IFunctionIdentifier, Terminal } from '@xterm/xterm'
import { type Disposable, DisposableStore } from '../../../shared/lib/disposable.ts'

/** All sequences that the emulator would answer: queries for state, position, attributes, modes, settings. */
const QUESTIONS: readonly IFunctionIdentifier[] = [
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { final: 't' },
  { prefix: '>', final: 'q' },
  { prefix: '?', final: 'u' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
]
const SETTINGS: IFunctionIdentifier = { intermediates: '$', final: 'q' }
/** Sequences that set colors, or query them with `?`. */
const COLORS = [4, 10, 11, 12]

/**
 * Prevents the emulator from answering queries in replayed output (`isOld`). These queries were answered when the output was new, and a
 * second answer would reach the command as typed text.
 */
export function dropOldQueries({ parser }: Terminal, isOld: () => boolean): Disposable {
  const store = new DisposableStore()
  for (const question of QUESTIONS) store.add(parser.registerCsiHandler(question, () => isOld()))
  store.add(parser.registerDcsHandler(SETTINGS, () => isOld()))
  for (const color of COLORS) store.add(parser.registerOscHandler(color, (data) => isOld() && data.includes('?')))
  return store
}
