import type { HunkLine } from './patch-model.ts'
import type { Place } from './place-hunk.ts'
import { indentOf, type IndentPair, reindented } from './reindent.ts'

/** Lines of a hunk between a new line and those that tell how it is indented. */
const MOST_FAR = 200

/** A line of the hunk and how it is indented on both sides. */
interface Known extends IndentPair {
  readonly index: number
  readonly kind: HunkLine['kind']
  readonly text: string
}

/** New lines of a hunk that was found with other blanks, indented as the lines that were found around them (P3-35). */
export function asIndentedThere({ start, lines, pass }: Place, texts: readonly string[]): readonly HunkLine[] {
  if (pass === 'exact' || pass === 'right-trim') return lines
  let at = start
  const found = lines.flatMap(({ kind, text }, index): readonly Known[] => {
    const there = kind === 'add' ? '' : (texts[at++] ?? '')
    return kind === 'add' || text.trim() === '' ? [] : [{ index, kind, text: text.trim(), patch: indentOf(text), file: indentOf(there) }]
  })
  if (found.every(({ patch, file }) => patch === file)) return lines
  // What stands above a line when the hunk is applied, by its indentation in the patch.
  const above = new Map<string, Known>()
  const byIndex = new Map(found.map((known) => [known.index, known]))
  let change = { begin: 0, added: 0 }
  return lines.map((line, index) => {
    const own = byIndex.get(index)
    if (line.kind === 'context') change = { begin: index + 1, added: 0 }
    if (line.kind === 'remove' && change.added > 0) change = { begin: index, added: 0 }
    if (line.kind === 'context' && own) above.set(own.patch, own)
    if (line.kind !== 'add') return line
    const near = nearest(found, index)
    const added = { index, kind: line.kind, text: line.text.trim(), patch: indentOf(line.text) }
    const told = isToldTwice(near, added.patch)
      ? (replacedBy(added, near, change) ?? between(added, above.get(added.patch), near))
      : undefined
    change = { ...change, added: change.added + 1 }
    const text = reindented(line.text, told ? [{ patch: added.patch, file: told.file }, ...near] : near)
    if (added.text !== '') above.set(added.patch, { ...added, file: indentOf(text) })
    return { ...line, text }
  })
}

function nearest(found: readonly Known[], index: number): readonly Known[] {
  const far = (known: Known): number => Math.abs(known.index - index)
  return found.filter((known) => far(known) <= MOST_FAR).toSorted((a, b) => far(a) - far(b))
}

/** The patch indents lines alike that the file indents differently. */
function isToldTwice(near: readonly Known[], patch: string): boolean {
  return new Set(near.filter((known) => known.patch === patch).map(({ file }) => file)).size > 1
}

type Added = Omit<Known, 'file'>

/** The line in whose place the new one comes: the same but for its blanks, else the one that is as far from the beginning, unless only one of the two closes. */
function replacedBy(line: Added, near: readonly Known[], change: { readonly begin: number; readonly added: number }): Known | undefined {
  const gone = near.filter(
    ({ kind, index, patch }) => kind === 'remove' && index >= change.begin && index < line.index && patch === line.patch,
  )
  const same = gone.find(({ text }) => text === line.text)
  const counterpart = gone.find(({ index }) => index === change.begin + change.added)
  return same ?? (counterpart && closes(counterpart) === closes(line) ? counterpart : undefined)
}

/** Of the lines above and below that stay the deeper one: a line inside tells more than the brackets around it. For what closes, the other. */
function between(line: Added, above: Known | undefined, near: readonly Known[]): Known | undefined {
  const below = near.find(({ kind, index, patch }) => kind === 'context' && index > line.index && patch === line.patch)
  if (!above || !below) return above ?? below
  const [deeper, other] = above.file.length >= below.file.length ? [above, below] : [below, above]
  return closes(line) ? other : deeper
}

const closes = ({ text }: Pick<Known, 'text'>): boolean => /^(?:[)\]}]|<\/)/u.test(text)
