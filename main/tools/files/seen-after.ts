import type { SeenLines } from '../../../shared/session/events.ts'
import type { PrepareContext } from '../../agent/ports/tool.ts'
import { textFormOf } from '../text/encoding.ts'
import { lineFeedsBefore } from '../text/line-feeds.ts'
import { lineRange } from '../text/text-lines.ts'
import type { Subject } from './write-subject.ts'

/**
 * Which lines of a file the agent has seen once a part of it is changed: what it had not seen before stays unseen, and of what it had
 * seen in part only the lines above the change keep their numbers. Undefined: all of it.
 */
export function seenAfter({ bytes, place, seen }: Subject, after: Uint8Array, context: PrepareContext): SeenLines | undefined {
  const lines = context.seenLines(place.path)
  if (bytes === null || bytes.length === 0 || (seen === 'as-it-is' && lines === null)) return undefined
  if (lines === null) return { ranges: [], total: 0 }
  const encoding = textFormOf(after)?.encoding ?? 'utf-8'
  const above = lineFeedsBefore(after, sharedStart(bytes, after), encoding)
  const ranges = lines.ranges.flatMap(([first, last]) => (first <= above ? [[first, Math.min(last, above)] as const] : []))
  return { ranges, total: lineRange(after, { encoding, bom: 0 }, 1, 1).totalLines }
}

/** Bytes that two versions begin with alike. */
function sharedStart(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at < most && a[at] === b[at]) at++
  return at
}
