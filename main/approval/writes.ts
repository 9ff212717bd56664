import { posix } from 'node:path'
import { type CommandJudgement, HARMLESS, worse } from './command-judgement.ts'
import { isDevice, isHarmlessDevice } from './devices.ts'
import { gitSteering } from './git-words.ts'
import { absolute, type CommandPlace, isControlOperand, liesOutside } from './operand-place.ts'
import { isPassing } from './passing-places.ts'
import { programOf, reportWords } from './program-words.ts'
import type { ShellWord, SimpleCommand } from './simple-command.ts'
import { isGlob, isTold, spellings } from './spellings.ts'
import { fileTarget, type Target } from './target.ts'
import { opensTargets, targetsOf } from './targets.ts'

/** A file or folder that a command line names as written, for a look at the disk. */
export interface WrittenFile {
  /** Absolute; `..` and the patterns of the shell stand as the line has them. */
  readonly path: string
  readonly isPattern: boolean
  /** The names under which it writes in it, if it is a folder. */
  readonly into: readonly string[]
  /** It lies where nothing lasts. */
  readonly isPassing: boolean
  /** If it is a link, the link itself goes. */
  readonly isLinkItself: boolean
}

export interface Written {
  readonly judgement: CommandJudgement
  readonly files: readonly WrittenFile[]
}

const REMOVERS: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink'])

/**
 * What one simple command writes as far as its words say: the targets of redirections and what the usual programs write. `isLost`: it
 * runs in a folder that the line does not tell, so a relative path may be anywhere.
 */
export function writes(
  { writesTo, words: whole }: SimpleCommand,
  words: readonly ShellWord[],
  place: CommandPlace,
  isLost: boolean,
): Written {
  const [name, ...rest] = words
  const program = name === undefined ? '' : programOf(name)
  const control = program === 'git' ? gitSteering(rest) : null
  const redirected = writesTo.map((word) => judged(fileTarget(word), { place, isLost, isOne: true, isLinkItself: false, opens: true }))
  const isLinkItself = REMOVERS.has(program)
  const named = [...targetsOf(words), ...reportWords(whole).map(fileTarget)].map((target) =>
    judged(target, { place, isLost, isOne: false, isLinkItself, opens: opensTargets(program, rest) }),
  )
  const all = [...redirected, ...named]
  return {
    judgement: all.map(({ judgement }) => judgement).reduce(worse, { ...HARMLESS, control }),
    files: all.flatMap(({ files }) => files),
  }
}

interface Terms {
  readonly place: CommandPlace
  readonly isLost: boolean
  /** One file is opened whatever the word expands to, as by a redirection: then a pattern does not tell which. */
  readonly isOne: boolean
  readonly isLinkItself: boolean
  /** It writes into what stands there, and puts nothing in its place: only then a device is none the worse for it. */
  readonly opens: boolean
}

function judged(target: Target, terms: Terms): Written {
  const { word } = target
  const texts = spellings(word)
  const isUntold = texts === null || !isTold(word) || (terms.isOne && (isGlob(word) || texts.length > 1))
  const each = (texts ?? [word.text]).map((text) => judgedSpelling({ ...target, word: { ...word, text } }, terms))
  const judgement = each.map((one) => one.judgement).reduce(worse, { ...HARMLESS, beyond: isUntold })
  return { judgement, files: isUntold ? [] : each.flatMap(({ files }) => files) }
}

function judgedSpelling({ word, into, isFolder }: Target, { place, isLost, isLinkItself, opens }: Terms): Written {
  const { text } = word
  const path = absolute(text, place)
  if (opens && isHarmlessDevice(path)) return { judgement: HARMLESS, files: [] }
  const names = isFolder ? into.map((name) => posix.join(text, name)) : []
  const control = [text, ...names].find((one) => isControlOperand({ ...word, text: one, expands: word.expands || one !== text }, place))
  const passes = text.startsWith('/') && isPassing(path, place.root)
  // What a pattern finds may be a link, so that the way up from it leads elsewhere.
  const climbs = isGlob(word) && /[*?[].*\/\.\.(?:\/|$)/su.test(text)
  const beyond = climbs || (isLost && !/^[/~]/u.test(text)) || (liesOutside(text, place) && !passes)
  return {
    judgement: { ...HARMLESS, destructive: isDevice(path), beyond, control: control ?? null },
    files: [{ path: written(text, path, place), isPattern: isGlob(word), into, isPassing: passes, isLinkItself }],
  }
}

/** With the `..` that the line has, since the system goes up from where a link leads. */
function written(text: string, path: string, { cwd }: CommandPlace): string {
  if (!text.split('/').includes('..')) return path
  return text.startsWith('/') ? text : text.startsWith('~') || text.startsWith('$') ? path : `${cwd}/${text}`
}
