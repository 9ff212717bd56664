import { withoutGitRecords } from '../../../shared/session/git-change.ts'
import type { FoundIn } from '../../../shared/api/history.ts'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { messageAsTyped } from '../../../shared/session/person-message.ts'
import { runsCommand } from '../../../shared/tools/catalogue.ts'
import { exitPlanModeSpec } from '../../../shared/tools/built-in/exit-plan-mode.ts'

export interface IndexedText {
  readonly foundIn: FoundIn
  readonly text: string
  /** The path relative to the folder; null if the text does not belong to a file. */
  readonly path: string | null
}

/**
 * Maximum number of characters in one entry of the index. A longer text has several entries, so that reading a hit never reads much text.
 */
const PART_CHARS = 40_000
/** Number of characters by which two adjacent parts overlap if a line is too long for one part. */
const SHARED_CHARS = 200
/** Maximum number of characters of one text that are indexed. The rest of the text cannot be found. */
const MAX_CHARS = 4_000_000

/** Text of an event, before the search index divides it. */
export interface FoundText extends IndexedText {
  /** Whether the end of the text is left out. */
  readonly isCut: boolean
}

/** Divides a long text at line ends. */
export function textParts({ foundIn, text, path }: IndexedText): readonly IndexedText[] {
  const parts: IndexedText[] = []
  for (let from = 0; from < text.length;) {
    const line = from + PART_CHARS < text.length ? text.lastIndexOf('\n', from + PART_CHARS) : text.length
    const to = line > from ? line : from + PART_CHARS
    parts.push({ foundIn, text: text.slice(from, to), path })
    from = line > from ? line + 1 : to - SHARED_CHARS
  }
  return parts
}

type Answered = Extract<DurableEvent, { readonly kind: 'APPROVAL_ANSWERED' }>

/** Data that is not in an event itself but that its texts need. */
export interface TextSources {
  /** Returns only the lines that a file change adds and removes. A version is null if the file does not exist. */
  changedLines(before: BlobHash | null, after: BlobHash | null): readonly string[]
  /** The effects of the request that was answered. Empty if the request is not known. */
  requested(answered: Answered): readonly Effect[]
}

/** The texts of an event that can be found; empty if there are none. */
export function searchableTexts(event: DurableEvent, sources: TextSources): readonly FoundText[] {
  switch (event.kind) {
    case 'USER_INPUT':
      return foundTexts('you', messageAsTyped(event))
    case 'STEERING_INJECTED':
      return event.by === 'person' ? foundTexts('you', messageAsTyped(event)) : []
    case 'ASSISTANT_TURN':
      return foundTexts('answer', event.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n'))
    case 'TOOL_CALL_START':
      if (runsCommand(event)) return foundTexts('run', event.args?.['command'])
      return event.toolName === exitPlanModeSpec.name ? foundTexts('plan', event.args?.['plan']) : []
    case 'TOOL_CALL_END':
      return foundTexts('output', event.output)
    case 'FILES_CHANGED':
      return withoutGitRecords(event.files).others.flatMap(({ shown, before, after }) =>
        foundTexts('diff', [shown, ...sources.changedLines(before, after)].join('\n'), shown),
      )
    case 'APPROVAL_ANSWERED':
      return refusedTexts(event, sources)
    default:
      return []
  }
}

function foundTexts(foundIn: FoundIn, text: JsonValue | undefined, path: string | null = null): readonly FoundText[] {
  if (typeof text !== 'string' || text.trim() === '') return []
  return [{ foundIn, text: text.slice(0, MAX_CHARS), path, isCut: text.length > MAX_CHARS }]
}

/** The paths and lines of proposed changes that were not signed. If a request was signed in part, only those of the refused part. */
function refusedTexts(answered: Answered, { changedLines, requested }: TextSources): readonly FoundText[] {
  const { answer } = answered
  const amended = answer.kind === 'signed' ? answer.amended : undefined
  if (answer.kind !== 'refused' && !amended) return []
  const paths = amended && new Set(amended.files.filter(({ left, rejected }) => left || rejected > 0).map(({ path }) => path))
  const lines = (effect: Effect): readonly string[] => {
    if (effect.kind !== 'write' && effect.kind !== 'delete') return []
    const proposed = changedLines(effect.before, effect.kind === 'write' ? effect.after : null)
    const signed = amended?.effects.find((one) => one.kind === 'write' && one.path === effect.path)
    if (signed?.kind !== 'write') return proposed
    const kept = new Set(changedLines(signed.before, signed.after))
    return proposed.filter((line) => !kept.has(line))
  }
  return requested(answered).flatMap((effect) =>
    'shown' in effect && effect.kind !== 'read' && (!paths || paths.has(effect.path))
      ? foundTexts('refused', [effect.shown, ...lines(effect)].join('\n'), effect.shown)
      : [],
  )
}
