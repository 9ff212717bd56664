import { posix } from 'node:path'
import { isControlFile } from './control-files.ts'
import { globMatches } from './glob-matches.ts'
import type { ShellWord } from './simple-command.ts'
import { HOME_VARIABLE, isGlob } from './spellings.ts'

export interface CommandPlace {
  readonly cwd: string
  /** Real path of the workspace folder. */
  readonly root: string
  readonly home: string | null
  /** It is the session's lasting shell, whose settings, functions and aliases of earlier lines count too. */
  readonly lasts?: boolean
  /** The shell there was started so that `..` goes up from where a link leads. */
  readonly isPhysical?: boolean
}

/** Whether an operand may lie outside the folder: absolute elsewhere, upwards, at home, or not to be told before the shell has run. */
export function pointsOut(word: ShellWord, place: CommandPlace): boolean {
  const { text, expands } = word
  if (text.startsWith('-') && !text.includes('=')) return false
  if (expands && (text === '' || text.includes('$'))) return true
  return liesOutside(text.replace(/^[\w-]+=/u, ''), place)
}

/** Whether a path as a command line names it lies outside the folder; variables other than HOME stand for nothing. */
export function liesOutside(text: string, place: CommandPlace): boolean {
  const way = posix.relative(place.root, absolute(text, place))
  return way === '..' || way.startsWith('../')
}

/** Whether a path as a command line names it is a control file, or may be: a pattern that says more than `*` and fits one's name. */
export function isControlOperand(word: ShellWord, place: CommandPlace): boolean {
  const path = absolute(word.text, place)
  const below = liesOutside(word.text, place) ? path : posix.relative(place.root, path)
  const names = below.split('/').filter((name) => name !== '')
  return isControlFile(names) || (isGlob(word) && isControlFile(names, globMatches))
}

/** The folder, the home folder, the file system or git's data as an operand, whole or by `/*`, in words; null: none of them. */
export function ruinOf({ text }: ShellWord, place: CommandPlace): string | null {
  if (text === '' || text.startsWith('-')) return null
  const path = absolute(
    text.replace(/\/?(?:\.\*|\*|\{,\.\}\*)$/u, (glob) => (glob.startsWith('/') ? '/' : '.')),
    place,
  )
  if (path === '/') return 'the whole file system'
  if (path === place.home || path === NO_HOME) return 'the home folder'
  if (path === place.root) return 'the whole folder of this session'
  return posix.basename(path).toLowerCase() === '.git' ? "git's data, and with it the history" : null
}

/** What `~` becomes where the home folder is not known: a place outside every folder. */
const NO_HOME = '/~'

/** A path as a command line names it, from where the command runs. */
export function absolute(text: string, { cwd, home }: CommandPlace): string {
  const path = text.replace(HOME_VARIABLE, '~')
  return posix.resolve(cwd, path.replace(/^~(?=\/|$)/u, home ?? NO_HOME).replace(/^~(?=\w)/u, '/home/'))
}
