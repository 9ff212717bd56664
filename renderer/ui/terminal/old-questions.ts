import type { IFunctionIdentifier, Terminal } from '@xterm/xterm'
import { type Disposable, DisposableStore } from '../../../shared/lib/disposable.ts'

/** Every sequence that the emulator answers by itself: state, position, attributes, modes, settings. */
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
/** Colours, which can be set and asked for with `?`. */
const COLOURS = [4, 10, 11, 12]

/**
 * Leaves questions in output unanswered while `isOld` says that it is a replay: whoever asked has had the answer, and a second one would
 * reach the command as typing.
 */
export function dropOldQuestions({ parser }: Terminal, isOld: () => boolean): Disposable {
  const store = new DisposableStore()
  for (const question of QUESTIONS) store.add(parser.registerCsiHandler(question, () => isOld()))
  store.add(parser.registerDcsHandler(SETTINGS, () => isOld()))
  for (const colour of COLOURS) store.add(parser.registerOscHandler(colour, (data) => isOld() && data.includes('?')))
  return store
}
