import { modelOnly, reason } from '../../agent/reason.ts'
import { failure } from '../../agent/tool-output.ts'
import { type ReadOutputInput, readOutputSpec } from '../../../shared/tools/built-in/read-output.ts'
import type { RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'

import { limitsOf } from '../truncation/truncation-limits.ts'

/** Number of lines that are shown if the call sets no limit. */
const DEFAULT_LINES = 500
/**
 * Number of characters that are reserved for the note. The result is shorter than the truncation limit, so it is not truncated itself.
 */
const ROOM_FOR_NOTE = 500
/** Minimum width of a line number. */
const NUMBER_WIDTH = 6

/** Lets the model read output that a truncation removed. */
export function createReadOutputTool(): Tool {
  return defineTool(readOutputSpec, (input) =>
    Promise.resolve({ kind: 'ready', effects: [], commit: (run) => Promise.resolve(read(input, run)) }),
  )
}

function read({ call, offset, limit, pattern }: ReadOutputInput, run: RunContext): ToolOutput {
  const text = run.session.outputOf(call)
  if (text === null)
    return failure(
      reason`There is no finished call ${JSON.stringify(call)} in this session. ${modelOnly('Take the id from the truncation warning.')}`,
    )
  const all = text.split(/\r?\n/u)
  if (all.at(-1) === '') all.pop()
  const wanted = all.flatMap((line, index) => (pattern === undefined || line.includes(pattern) ? [{ line, number: index + 1 }] : []))
  if (wanted.length === 0)
    return failure(pattern === undefined ? 'The output is empty.' : `No line of the output contains ${JSON.stringify(pattern)}.`)
  const from = wanted.findIndex(({ number }) => number >= (offset ?? 1))
  if (from < 0) return failure(`offset ${offset ?? 1} is beyond the end of the output, which has ${all.length} lines.`)
  return shown(wanted.slice(from), limit ?? DEFAULT_LINES, wanted.length)
}

interface Line {
  readonly line: string
  readonly number: number
}

function shown(lines: readonly Line[], limit: number, total: number): ToolOutput {
  const room = limitsOf(readOutputSpec.name).chars - ROOM_FOR_NOTE
  const texts: string[] = []
  let chars = 0
  for (const { line, number } of lines.slice(0, limit)) {
    const text = `${String(number).padStart(NUMBER_WIDTH)}\t${line}`
    if (texts.length > 0 && chars + text.length + 1 > room) break
    texts.push(text.length > room ? `${text.slice(0, room).toWellFormed()}…` : text)
    chars += text.length + 1
  }
  const next = lines[texts.length]
  const more = next ? [`(${texts.length} of ${total} lines are shown; continue with offset ${next.number}.)`] : []
  return { output: [...texts, ...more].join('\n'), isError: false, details: null }
}
