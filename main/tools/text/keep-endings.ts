import type { Ending } from './line-feeds.ts'

/**
 * Gives new text the line endings of the old text that it replaces. `was` is the old text with its real endings. In `text`, LF means any
 * line ending and CR LF means CR LF. Lines that both texts have in common at the beginning and at the end keep their endings. Between
 * them, the n-th new line gets the ending of the n-th old line, and further lines get the ending of the last old line. If nothing was
 * replaced, `around` decides.
 */
export function keepEndings(was: string, text: string, around: () => Ending): string {
  const fresh = splitLines(text)
  if (fresh.endings.length === 0) return text
  const old = splitLines(was)
  const head = sharedHead(old, fresh)
  const tail = sharedTail(old, fresh, head)
  const oldEnd = old.endings.length - tail
  const freshEnd = fresh.endings.length - tail
  // The tail begins with the ending of the line above the shared lines. New lines get that ending only if that line changed, not if it only
  // moved down.
  const lastModel = tail > 0 && old.lines[oldEnd] !== fresh.lines[freshEnd] ? oldEnd : oldEnd - 1
  let fallback: Ending | null = null
  const endings = fresh.endings.map((asked, at) => {
    if (asked === '\r\n') return asked
    if (at < head) return old.endings[at]
    if (at >= freshEnd) return old.endings[at - freshEnd + oldEnd]
    const replaced = head <= lastModel ? old.endings[Math.min(at, lastModel)] : undefined
    return replaced ?? (fallback ??= around())
  })
  return fresh.lines.map((line, at) => line + (endings[at] ?? '')).join('')
}

interface Lines {
  /** Contains one more element than `endings`. */
  readonly lines: readonly string[]
  readonly endings: readonly Ending[]
}

function splitLines(text: string): Lines {
  const lines: string[] = []
  const endings: Ending[] = []
  let start = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
    const isPair = at > start && text[at - 1] === '\r'
    lines.push(text.slice(start, isPair ? at - 1 : at))
    endings.push(isPair ? '\r\n' : '\n')
    start = at + 1
  }
  lines.push(text.slice(start))
  return { lines, endings }
}

/** The number of lines that both texts have in common at the beginning. Only lines with an ending count. */
function sharedHead(old: Lines, fresh: Lines): number {
  const most = Math.min(old.endings.length, fresh.endings.length)
  let count = 0
  while (count < most && old.lines[count] === fresh.lines[count]) count++
  return count
}

/** The number of lines that both texts have in common at the end. Only lines with an ending before them count. */
function sharedTail(old: Lines, fresh: Lines, head: number): number {
  const most = Math.min(old.endings.length, fresh.endings.length) - head
  let count = 0
  while (count < most && old.lines.at(-1 - count) === fresh.lines.at(-1 - count)) count++
  return count
}
