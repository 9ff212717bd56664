import { DESTROYING_PROGRAMS, destroysByArguments } from './destructive-programs.ts'
import { type CommandJudgement, HARMLESS } from './command-judgement.ts'
import { isHarmlessDevice } from './devices.ts'
import { absolute, type CommandPlace, pointsOut, ruinOf } from './operand-place.ts'
import { isElevated, programOf } from './program-words.ts'
import type { ShellWord, SimpleCommand } from './simple-command.ts'
import { spellings } from './spellings.ts'

const INTERPRETERS: ReadonlySet<string> = new Set(['python', 'python2', 'python3', 'node', 'deno', 'bun', 'perl', 'ruby', 'php', 'awk'])
/** Those whose operands are gone afterwards. */
const REMOVERS: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'shred', 'srm', 'wipe', 'del', 'rd', 'erase'])

/** What one simple command destroys by itself. `leaves`: the line goes to another folder, so relative paths tell nothing. */
export function destroys(command: SimpleCommand, words: readonly ShellWord[], place: CommandPlace, leaves: boolean): CommandJudgement {
  const [name, ...rest] = words
  if (name === undefined || name.text === ':') return emptied(command, place, leaves)
  const program = programOf(name)
  const texts = rest.map((word) => word.text)
  const outcome = DESTROYING_PROGRAMS.has(program) ? 'files' : destroysByArguments(program, texts)
  if (outcome === null) return removesByScript(program, texts) ? { ...HARMLESS, destructive: true, beyond: true } : HARMLESS
  const touched = program === 'dd' ? rest.filter(({ text }) => text.startsWith('of=')) : rest
  const beyond = outcome === 'elsewhere' || leaves || isElevated(command.words) || touched.some((word) => pointsOut(word, place))
  const ruins = REMOVERS.has(program)
    ? (rest
        .flatMap(spelled)
        .map((word) => ruinOf(word, place))
        .find((found) => found !== null) ?? null)
    : null
  return { ...HARMLESS, destructive: true, beyond, ruins }
}

/** Each spelling of a word with braces. */
const spelled = (word: ShellWord): readonly ShellWord[] => (spellings(word) ?? []).map((text) => ({ ...word, text }))

/** `> file` and `: > file` leave nothing of the file. */
function emptied({ writesTo }: SimpleCommand, place: CommandPlace, leaves: boolean): CommandJudgement {
  const files = writesTo.filter(({ text }) => !isHarmlessDevice(absolute(text, place)))
  if (files.length === 0) return HARMLESS
  return { ...HARMLESS, destructive: true, beyond: leaves || files.some((word) => pointsOut(word, place)) }
}

function removesByScript(program: string, texts: readonly string[]): boolean {
  const removing = /rmtree|rmsync|\brm\s*\(|unlink|os\.remove|removedirs|rimraf|remove_dir|deleteSync|\bsystem\b|subprocess|exec/iu
  return INTERPRETERS.has(program) && texts.some((text) => removing.test(text))
}
