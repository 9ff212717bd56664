import { structuredPatch } from 'diff'

/** A change of one file for reading as text. `lines` carry the usual first character: blank, `-`, `+`, `@`, `\`; nothing in them is cleaned. */
export type UnifiedDiff =
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  /** One of both is no text. */
  | { readonly kind: 'binary' }
  /** Larger than `MOST_BYTES`. */
  | { readonly kind: 'too_large' }

/** Bytes of either side above which nobody reads a diff in lines. */
const MOST_BYTES = 4 * 1024 * 1024
/** Above so many different lines, or so many ms, all of the old and all of the new is shown instead: right, though coarse. */
const BOUNDS = { maxEditLength: 4_000, timeout: 1_000 } as const
const CONTEXT = 3

/** What changes between two versions of a file, exactly: line ends and byte order marks stay in the lines. `null` is a file that is not there. */
export function unifiedDiff(before: Uint8Array | null, after: Uint8Array | null): UnifiedDiff {
  if (Math.max(before?.length ?? 0, after?.length ?? 0) > MOST_BYTES) return { kind: 'too_large' }
  const [old, fresh] = [decoded(before), decoded(after)]
  if (old === null || fresh === null) return { kind: 'binary' }
  const respelt = before && after && old.encoding !== fresh.encoding ? [`\\ ${old.encoding} becomes ${fresh.encoding}`] : []
  const patch = structuredPatch('', '', old.text, fresh.text, '', '', { context: CONTEXT, ...BOUNDS })
  const lines = patch?.hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines,
  ])
  return { kind: 'text', lines: [...respelt, ...(lines ?? replaced(old.text, fresh.text))] }
}

/** Of no lines: the line after which they would stand, as the format has it. */
const range = (start: number, lines: number): string => `${lines === 0 ? start - 1 : start},${lines}`

interface Decoded {
  readonly text: string
  readonly encoding: string
}

/** Null: no text. An unknown encoding is read byte by byte, so that two different files never look the same. */
function decoded(bytes: Uint8Array | null): Decoded | null {
  if (bytes === null) return { text: '', encoding: '' }
  const [first, second] = bytes
  const marked = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(marked, { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? null : { text, encoding: marked }
  } catch {
    return bytes.includes(0) ? null : { text: Buffer.from(bytes).toString('latin1'), encoding: 'an unknown encoding' }
  }
}

function replaced(old: string, fresh: string): readonly string[] {
  return [...marked('-', old), ...marked('+', fresh)]
}

function marked(mark: string, text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n')
  const ended = lines.at(-1) === ''
  const all = (ended ? lines.slice(0, -1) : lines).map((line) => mark + line)
  return ended ? all : [...all, '\\ No newline at end of file']
}
