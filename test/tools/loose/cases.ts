import { randomChange } from './changes.ts'
import { type Language, LANGUAGES, type Line, type Random, linesOf, makerOf, randomFrom, randomProgram } from './programs.ts'

/** One loose edit: the file, what the model sends, and the content of the file after the edit. */
export interface LooseCase {
  readonly name: string
  readonly file: string
  readonly old: string
  readonly fresh: string
  /** The same change, written as the lines of a hunk in a patch. */
  readonly hunk: string
  readonly expected: string
}

const UNITS = ['  ', '   ', '    ', '        ', '\t'] as const

/** Gives a line an oddity that occurs in files. The line keeps its indentation. */
type Oddity = (text: string) => string
const ODDITIES: readonly Oddity[] = [
  (text) => `${text}  `,
  (text) => text.replace(' = ', '  =  '),
  (text) => text.replace(' ', '\u00a0'),
  (text) => text.replaceAll(/"([^"]*)"/gu, '“$1”'),
  (text) => text.replace(' and ', ' \u2014 and '),
]

/** Null if the seed gave no change, or if the file contains the old text exactly. */
export function looseCase(seed: number): LooseCase | null {
  const random = randomFrom(seed)
  const language = random.pick(LANGUAGES)
  const maker = makerOf(language, random)
  const program = randomProgram(maker, random)
  const isMixed = language !== 'makefile' && random.chance(0.2)
  const change = randomChange(program, { maker, random, isMixed })
  if (change === null) return null
  const before = linesOf(program)
  const after = linesOf(change.after)
  const written = fileWriter(language, before, isMixed, random)
  const range = changedRange(before, after)
  if (range === null) return null
  const above = random.below(4)
  const below = random.below(4)
  const from = Math.max(0, range.from - above)
  const rest = Math.max(0, range.rest - below)
  const old = before.slice(from, before.length - rest)
  const fresh = after.slice(from, after.length - rest)
  if (old.length === 0) return null
  const model = modelWriter(language, [...old, ...fresh], random)
  const file = before.map(written).join('\n')
  // If no new line replaces them, the lines are removed together with their line ending.
  const ending = fresh.length === 0 ? '\n' : ''
  const oldText = old.map(model).join('\n') + ending
  // Text that the file contains exactly needs no loose search, and its replacement is inserted unchanged.
  if (`${file}\n`.includes(oldText)) return null
  return {
    name: `seed ${seed}, ${language}${isMixed ? ' mixed' : ''}, ${change.name}`,
    file: `${file}\n`,
    old: oldText,
    fresh: fresh.map(model).join('\n'),
    hunk: hunkOf(old, fresh, model),
    expected: after.map((line) => `${written(line)}\n`).join(''),
  }
}

/**
 * Writes lines as the file has them: with the indentation of each block, and with oddities in some lines, which the model does not
 * reproduce.
 */
function fileWriter(language: Language, before: readonly Line[], isMixed: boolean, random: Random): (line: Line) => string {
  const unit = language === 'makefile' ? '\t' : random.pick(UNITS)
  const units = before.map(() => (isMixed ? random.pick(UNITS) : unit))
  const own = new Map(before.map(({ id, text }) => [id, text]))
  const odd = new Map<number, Oddity>()
  if (random.chance(0.3)) for (const { id, text } of before) if (text !== '}' && random.chance(0.3)) odd.set(id, random.pick(ODDITIES))
  return (line) => {
    const indent = line.path.map((nesting) => (nesting === 'marker' ? '  ' : (units[line.block] ?? unit))).join('')
    const isSame = sharesWord(line.text, own.get(line.id) ?? '')
    return indent + ((isSame ? odd.get(line.id) : undefined)?.(line.text) ?? line.text)
  }
}

/** Whether two lines have a word in common. Otherwise the second line counts as a new line. */
function sharesWord(a: string, b: string): boolean {
  const words = new Set(a.match(/\w+/gu))
  return a === b || (b.match(/\w+/gu) ?? []).some((word) => words.has(word))
}

/**
 * Writes lines as a model does: with one indentation step for all, possibly without the indentation that all lines share, and with spaces
 * instead of tabs inside lines.
 */
function modelWriter(language: Language, shown: readonly Line[], random: Random): (line: Line) => string {
  const unit = random.pick(UNITS)
  const indentOf = ({ path }: Line): string => path.map((nesting) => (nesting === 'marker' ? '  ' : unit)).join('')
  const least = Math.min(...shown.map((line) => indentOf(line).length))
  const isFlat = random.chance(0.3)
  const shift = random.chance(0.1) ? unit : ''
  return (line) => {
    const text = language === 'tsv' ? line.text.replaceAll('\t', ' ') : line.text
    return shift + (isFlat ? indentOf(line).slice(least) : indentOf(line)) + text
  }
}

const keyOf = ({ id, path, text }: Line): string => `${id} ${path.join()} ${text}`

/** Returns the number of equal lines at the beginning and at the end. Lines are equal only if they have the same nesting. */
function changedRange(before: readonly Line[], after: readonly Line[]): { readonly from: number; readonly rest: number } | null {
  const key = (line: Line | undefined): string => (line ? keyOf(line) : '')
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && key(before[from]) === key(after[from])) from++
  let rest = 0
  while (rest < most - from && key(before.at(-1 - rest)) === key(after.at(-1 - rest))) rest++
  return from === before.length && from === after.length ? null : { from, rest }
}

function hunkOf(old: readonly Line[], fresh: readonly Line[], model: (line: Line) => string): string {
  const kept = new Set(fresh.map(keyOf))
  const there = new Set(old.map(keyOf))
  const lines: string[] = ['@@']
  let at = 0
  for (const line of old) {
    if (!kept.has(keyOf(line))) {
      lines.push(`-${model(line)}`)
      continue
    }
    for (; at < fresh.length; at++) {
      const next = fresh[at]
      if (!next || there.has(keyOf(next))) break
      lines.push(`+${model(next)}`)
    }
    lines.push(` ${model(line)}`)
    at++
  }
  for (const line of fresh.slice(at)) lines.push(`+${model(line)}`)
  return lines.join('\n')
}
