import type { CallItem } from '../../../../shared/session/state.ts'
import { readManyDetails } from '../../../ui/calls/call-details.ts'

export interface ReadSection {
  readonly path: string
  /** `number` null: words about the file, and no line of it. */
  readonly lines: readonly { readonly number: number | null; readonly text: string }[]
}

export interface ReadSections {
  readonly sections: readonly ReadSection[]
  /** What was not shown and why, in words; empty: nothing. */
  readonly rest: string
}

/** What `read_many_files` read, file by file. Lines of files come numbered, so that none can be taken for a head. Null: it is not to be told. */
export function readSections(call: CallItem): ReadSections | null {
  const details = readManyDetails(call)
  if (details === null || call.outputBlob !== null) return null
  const heads = new Set([...details.read, ...details.left].map((path) => `--- ${path} ---`))
  const sections: { readonly path: string; readonly lines: string[] }[] = []
  const rest: string[] = []
  for (const line of call.output.split('\n')) {
    if (heads.has(line)) sections.push({ path: line.slice(4, -4), lines: [] })
    else if (line.startsWith('Not shown')) rest.push(line)
    else sections.at(-1)?.lines.push(line)
  }
  if (sections.length === 0) return null
  return { sections: sections.map(({ path, lines }) => ({ path, lines: lines.map(numbered) })), rest: rest.join('\n') }
}

function numbered(line: string): ReadSection['lines'][number] {
  const { number, text } = /^ *(?<number>\d+)\t(?<text>.*)$/su.exec(line)?.groups ?? {}
  return number === undefined ? { number: null, text: line } : { number: Number(number), text: text ?? '' }
}
