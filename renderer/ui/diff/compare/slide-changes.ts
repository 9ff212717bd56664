import type { LineChange } from '../../../../shared/lib/lines/line-diff.ts'

/**
 * If a change could equally begin a few lines earlier or later, moves it to where a reader expects it, so that it covers one whole block,
 * and not the end of one block plus the beginning of the next. The diff is still exact.
 */
export function slideChanges(changes: readonly LineChange[], before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const slid: LineChange[] = []
  changes.forEach((change, at) => {
    const previous = slid.at(-1)
    const next = changes[at + 1]
    const comes = change.beforeStart === change.beforeEnd
    const goes = change.afterStart === change.afterEnd
    if (comes === goes) return void slid.push(change)
    const [lines, start, end] = comes ? [after, change.afterStart, change.afterEnd] : [before, change.beforeStart, change.beforeEnd]
    const [floor, ceiling] = comes
      ? [previous ? previous.afterEnd + 1 : 0, next ? next.afterStart - 1 : after.length]
      : [previous ? previous.beforeEnd + 1 : 0, next ? next.beforeStart - 1 : before.length]
    const by = bestShift(lines, start, end, floor, ceiling)
    slid.push({
      beforeStart: change.beforeStart + by,
      beforeEnd: change.beforeEnd + by,
      afterStart: change.afterStart + by,
      afterEnd: change.afterEnd + by,
    })
  })
  return slid
}

/**
 * Number of lines by which to move `[start, end)` within `[floor, ceiling]`, negative for up. Among equally good places, the one furthest
 * down is chosen.
 */
function bestShift(lines: readonly string[], start: number, end: number, floor: number, ceiling: number): number {
  let lowest = 0
  while (end + lowest < ceiling && lines[start + lowest] === lines[end + lowest]) lowest++
  let highest = 0
  while (start + highest > floor && lines[start + highest - 1] === lines[end + highest - 1]) highest--
  let best = lowest
  let least = Number.POSITIVE_INFINITY
  for (let by = lowest; by >= highest; by--) {
    const cost = borderCost(lines, start + by) + borderCost(lines, end + by)
    if (cost < least) {
      least = cost
      best = by
    }
  }
  return best
}

/** Cost of a border above `lines[at]`: higher deep inside a block, lower below an empty line. */
function borderCost(lines: readonly string[], at: number): number {
  if (at <= 0 || at >= lines.length) return -1
  const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''
  let shown = at
  while (shown < lines.length && isBlank(lines[shown])) shown++
  return indentOf(lines[shown] ?? '') + (shown > at ? 0.5 : 0) - (isBlank(lines[at - 1]) ? 0.5 : 0)
}

/** Columns before the first character. A tab counts as four. */
function indentOf(line: string): number {
  let columns = 0
  for (const character of line) {
    if (character === '\t') columns += 4
    else if (character === ' ') columns++
    else break
  }
  return columns
}
