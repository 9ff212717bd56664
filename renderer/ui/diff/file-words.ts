import type { BlobText } from '../../../shared/api/changes/changes.ts'
import { byteSize, counted } from '../format.ts'

/** How a file's change can be shown: two texts with a fact about them, or only words. */
export type FileView =
  | {
      readonly kind: 'text'
      /** Null if the file does not exist on that side. */
      readonly before: string | null
      readonly after: string | null
      /** A fact that a diff of lines would not show, or would show badly. */
      readonly fact: string | null
    }
  | { readonly kind: 'words'; readonly words: string }

/** Returns "new", "deleted" or nothing, for the heading of a file. */
export function fileNote(before: BlobText | null, after: BlobText | null): 'new' | 'deleted' | null {
  if (before === null) return after === null ? null : 'new'
  return after === null ? 'deleted' : null
}

/** Describes a change of permission bits as a sentence. */
export function modeChange([before, after]: readonly [number, number]): string {
  return `The file mode changes from ${before.toString(8)} to ${after.toString(8)}.`
}

/** A change of permission bits in a word, for the end of a row. */
export function modeWord([before, after]: readonly [number, number]): string {
  const was = before & EXECUTABLE
  const is = after & EXECUTABLE
  return was === 0 && is !== 0 ? 'executable' : was !== 0 && is === 0 ? 'not executable' : 'mode'
}

const EXECUTABLE = 0o111

/**
 * Decides how a change is shown. Content that is not text, or is too large, is described in words and never shown as garbled characters.
 */
export function viewFile(before: BlobText | null, after: BlobText | null): FileView {
  // If the content of a file did not change, it is read only once, so both sides are the same object. The file was only moved.
  if (before !== null && before === after) return words('Its content is unchanged.')
  const sides = [before, after].filter((side) => side !== null)
  if (sides.some((side) => side.kind === 'missing'))
    return words('The content of this file is not stored here, so the diff cannot be shown.')
  if (sides.some((side) => side.kind === 'binary')) return words(`Not text. ${sizes(before, after)}`)
  if (sides.some((side) => side.kind === 'too_large')) return words(`Too large to be shown as lines. ${sizes(before, after)}`)
  return viewTexts(sideText(before), sideText(after))
}

function viewTexts(before: string | null, after: string | null): FileView {
  if (before === null || after === null) {
    const only = before ?? after
    return only === '' ? words(before === null ? 'A new, empty file.' : 'The file was empty.') : { kind: 'text', before, after, fact: null }
  }
  if (before === after) return words('The text is unchanged. Only its encoding or byte order mark changes.')
  const old = lineEndings(before)
  const fresh = lineEndings(after)
  if (withoutReturns(before) === withoutReturns(after)) return words(endingsAlone(before, after, old, fresh))
  const throughout = old !== null && fresh !== null && old !== 'none' && fresh !== 'none' && old !== fresh
  if (!throughout) return { kind: 'text', before, after, fact: null }
  return {
    kind: 'text',
    before: withEndings(before, fresh),
    after,
    fact: `All line endings change from ${old} to ${fresh}. The lines below also contain other changes.`,
  }
}

type Endings = 'LF' | 'CRLF' | 'none'

/** The line endings of a text. Null if they are mixed. */
function lineEndings(text: string): Endings | null {
  const feeds = text.split('\n').length - 1
  const both = text.split('\r\n').length - 1
  if (feeds === 0) return 'none'
  return both === 0 ? 'LF' : both === feeds ? 'CRLF' : null
}

function endingsAlone(before: string, after: string, old: Endings | null, fresh: Endings | null): string {
  const lines = before.split('\n')
  const others = after.split('\n')
  const changed = lines.filter((line, at) => line !== others[at]).length
  const how = old !== null && fresh !== null && old !== fresh ? `: ${old} becomes ${fresh}` : ','
  return `Only line endings differ${how} in ${counted(changed, 'line')}. The text is the same.`
}

function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function withEndings(text: string, endings: Endings): string {
  const plain = withoutReturns(text)
  return endings === 'CRLF' ? plain.replaceAll('\n', '\r\n') : plain
}

function sizes(before: BlobText | null, after: BlobText | null): string {
  if (before === null) return `${sizeOf(after)}, new.`
  if (after === null) return `${sizeOf(before)}, deleted.`
  return `${sizeOf(before)} before, ${sizeOf(after)} after.`
}

function sizeOf(side: BlobText | null): string {
  if (side === null || side.kind === 'missing') return ''
  return side.kind === 'text' ? byteSize(new TextEncoder().encode(side.text).byteLength) : byteSize(side.bytes)
}

function sideText(side: BlobText | null): string | null {
  return side?.kind === 'text' ? side.text : null
}

function words(text: string): FileView {
  return { kind: 'words', words: text }
}
