import { modelOnly, type Reason, type ReasonText, reason } from '../../agent/reason.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { closestRegion } from '../text/closest-region.ts'
import { unclearWords } from '../text/explain-missed-edit.ts'
import type { PatchMiss } from './apply-hunks.ts'
import type { Hunk } from './patch-model.ts'
import type { PlaceMiss } from './place-hunk.ts'

/**
 * Limits of the explanation: lines of the closest region, characters per line, candidates, and characters of a text that is searched for a
 * region.
 */
const SHOWN_LINES = 30
const LINE_CHARS = 400
const NAMED = 20
const MAX_SEARCHED_CHARS = 4 * 1024 * 1024

export interface PatchedFile {
  readonly shown: string
  readonly hunks: readonly Hunk[]
  /** The content of the file before the hunks. */
  readonly text: string
}

/** Explains to the model why the hunks of a file were not applied, and what to send instead. */
export function explainPatchMiss(miss: PatchMiss, file: PatchedFile): ReasonText {
  switch (miss.kind) {
    case 'encoding':
      return `${file.shown} is not UTF-8 or UTF-16, and the patch adds a character that its encoding lacks or, if the encoding is unknown, that is not ASCII.`
    case 'overlap':
      return overlapping(hunkName(file, miss.hunk))
    case 'unclear': {
      const lines = file.text.split(/\r?\n/u).slice(miss.start, miss.start + miss.length)
      return reason`${hunkName(file, miss.hunk)} was found only ${unclearWords({ ...miss.why, firstLine: miss.start + 1, lines })}`
    }
    case 'place':
      return misplaced(miss.why, miss.hunk, file)
    default:
      return assertNever(miss, 'miss')
  }
}

function hunkName({ shown, hunks }: PatchedFile, index: number): string {
  const line = hunks[index]?.line ?? 0
  return hunks.length === 1 ? `The hunk for ${shown} (line ${line})` : `Hunk ${index + 1} of ${hunks.length} for ${shown} (line ${line})`
}

function overlapping(hunk: string): Reason {
  return reason`${hunk} changes lines that an earlier hunk changes too. ${modelOnly('Combine them into one hunk.')}`
}

function misplaced(why: PlaceMiss, index: number, file: PatchedFile): ReasonText {
  const { shown, text } = file
  const hunk = hunkName(file, index)
  switch (why.kind) {
    case 'anchor': {
      const places = why.lines.length === 0 ? '' : ` Its lines match at ${placesOf(why.lines)}.`
      return `${hunk} has the anchor ${quoted(why.anchor)}, which is not a line of ${shown}${notBelow(text, why.anchor)}.${closestLine(text, why.anchor)}${places}`
    }
    case 'numbers':
      return reason`${hunk} has only + lines, and line numbers are not reliable enough to place them. ${ADD_LINES}`
    case 'ambiguous': {
      const how = why.loose ? 'matches only loosely, and' : 'matches exactly'
      return reason`${hunk} ${how} at ${placesOf(why.lines)}. ${ADD_LINES}`
    }
    case 'taken':
      return overlapping(hunk)
    case 'elsewhere': {
      const anchor = quoted(file.hunks[index]?.anchors.at(-1)?.text ?? '')
      const where = why.lines.length === 1 ? `line ${(why.lines[0] ?? 0) + 1}` : placesOf(why.lines)
      return reason`${hunk} matches at ${where}, but not below its anchor ${anchor}. ${modelOnly('Use an @@ line that is above it, or a bare @@.')}`
    }
    case 'absent':
      return reason`${hunk} was not found. ${closest(text, why.sought)}`
    default:
      return assertNever(why, 'miss')
  }
}

const ADD_LINES = modelOnly('Add context lines, or an @@ line that is unique.')

function quoted(anchor: string): string {
  return `"${anchor.trim().slice(0, LINE_CHARS).toWellFormed()}"`
}

/** An anchor that is in the file may still not be found, because each anchor is searched for only below the one before it. */
function notBelow(text: string, anchor: string): string {
  const wanted = anchor.trim()
  return text.split('\n').some((line) => line.trim() === wanted) ? ' below the anchor before it' : ''
}

function placesOf(lines: readonly number[]): string {
  const named = lines.slice(0, NAMED).map((line) => line + 1)
  return `${lines.length} places, lines ${named.join(', ')}${lines.length > NAMED ? ' and more' : ''}`
}

function closestLine(text: string, anchor: string): string {
  const region = text.length > MAX_SEARCHED_CHARS ? null : closestRegion(text, anchor.trim())
  return region === null
    ? ''
    : ` The closest is line ${region.firstLine}: ${(region.lines[0] ?? '').trim().slice(0, LINE_CHARS).toWellFormed()}`
}

function closest(text: string, sought: readonly string[]): ReasonText {
  const region = text.length > MAX_SEARCHED_CHARS ? null : closestRegion(text, sought.join('\n'))
  if (region === null) return reason`No lines of the file are similar. ${modelOnly('Read the file again.')}`
  const lines = region.lines
    .slice(0, SHOWN_LINES)
    .map((line, index) => `${String(region.firstLine + index).padStart(6)}\t${line.slice(0, LINE_CHARS).toWellFormed()}`)
  const rest = region.lines.length > SHOWN_LINES ? [`(${region.lines.length - SHOWN_LINES} more lines)`] : []
  return ['The closest lines are:', ...lines, ...rest].join('\n')
}
