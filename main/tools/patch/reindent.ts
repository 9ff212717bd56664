/** How a line of the patch is indented, and the line of the file that it was found as. */
export interface IndentPair {
  readonly patch: string
  readonly file: string
}

export const indentOf = (line: string): string => /^[ \t]*/u.exec(line)?.[0] ?? ''

/**
 * A new line with the indentation that the file has where the patch has the line's own: that of the nearest line found with the same
 * one, else of the nearest deeper or shallower one and what lies between, told in the file's blanks or tabs. `near`: lines found, the
 * nearest first. A line without text stays as it is.
 */
export function reindented(line: string, near: readonly IndentPair[]): string {
  const own = indentOf(line)
  if (own.length === line.length) return line
  // Tabs that the patch has nowhere else were taken from the file.
  if (own.includes('\t') && near.some(({ file }) => file === own) && !near.some(({ patch }) => patch.includes('\t'))) return line
  const same = near.find(({ patch }) => patch === own)
  const indent = same ? same.file : between(own, near)
  return indent + line.slice(own.length)
}

function between(own: string, near: readonly IndentPair[]): string {
  const byLength = near.toSorted((a, b) => b.patch.length - a.patch.length)
  const outer = byLength.find(({ patch }) => own.startsWith(patch))
  if (outer) return outer.file + translated(own.slice(outer.patch.length), near)
  const inner = byLength.findLast(({ patch }) => patch.startsWith(own))
  const surplus = inner && translated(inner.patch.slice(own.length), near)
  return inner && surplus !== undefined && inner.file.endsWith(surplus) ? inner.file.slice(0, inner.file.length - surplus.length) : own
}

/** A step of indentation of the patch as one of the file. */
function translated(step: string, near: readonly IndentPair[]): string {
  const known = stepsOf(near).find(({ patch }) => step === patch.repeat(step.length / patch.length))
  if (known) return known.file.repeat(step.length / known.patch.length)
  const withTabs = near.some(({ patch, file }) => file.includes('\t') && !patch.includes('\t'))
  if (!withTabs || !/^ +$/u.test(step)) return step
  return '\t'.repeat(Math.max(1, Math.round(step.length / BLANKS_A_TAB)))
}

const BLANKS_A_TAB = 4

/** The steps that both sides take from one line found to another; or, of tabs for blanks, from no indentation at all. The smallest first. */
function stepsOf(near: readonly IndentPair[]): readonly IndentPair[] {
  const steps = (outer: IndentPair): readonly IndentPair[] =>
    near.flatMap(({ patch, file }) => {
      if (patch.length <= outer.patch.length || !patch.startsWith(outer.patch) || !file.startsWith(outer.file)) return []
      return smallest({ patch: patch.slice(outer.patch.length), file: file.slice(outer.file.length) })
    })
  const told = near.flatMap(steps)
  const fromNone = steps({ patch: '', file: '' }).filter(({ patch, file }) => patch[0] !== file[0])
  return (told.length > 0 ? told : fromNone).toSorted((a, b) => a.patch.length - b.patch.length)
}

/** Eight blanks as two tabs are four as one. */
function smallest({ patch, file }: IndentPair): readonly IndentPair[] {
  if (!/^(?: +|\t+)$/u.test(patch) || !/^(?: +|\t+)$/u.test(file)) return []
  const parts = divisor(patch.length, file.length)
  return [{ patch: patch.slice(0, patch.length / parts), file: file.slice(0, file.length / parts) }]
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}
