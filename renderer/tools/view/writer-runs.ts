import type { Blame, LineWriter } from '../../../shared/api/changes/blame.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { isSubagentCall } from '../../../shared/tools/built-in/subagents.ts'
import { clipped } from '../../ui/format.ts'
import type { WriterKind, WriterRun } from '../../ui/diff/whole/writer-gutter.ts'
import { writerDetails, writerWords } from './writer-words.ts'

/** Each kind of writer with its words in the legend. */
export const WRITER_KINDS: readonly (readonly [WriterKind, string])[] = [
  ['edit', 'edit tool'],
  ['command', 'command'],
  ['subagent', 'subagent'],
  ['session', 'another session'],
  ['undo', 'undo'],
  ['outside', 'you, or another program'],
  ['earlier', 'before the first recorded change'],
]

/** Groups consecutive lines that have the same writer, for the margin of a file. */
export function writerRuns({ runs, writers }: Blame, here: SessionId): readonly WriterRun[] {
  return runs.flatMap(({ from, count, writer }) => {
    const found = writers[writer]
    if (!found) return []
    return [
      {
        from,
        count,
        kind: kindOf(found, here),
        label: marginWords(found, here),
        details: `${writerWords(found, here)}: ${writerDetails(found)}`,
        leads: found.kind === 'step' || found.kind === 'undo',
      },
    ]
  })
}

function kindOf(writer: LineWriter, here: SessionId): WriterKind {
  switch (writer.kind) {
    case 'earlier':
    case 'outside':
    case 'undo':
      return writer.kind
    case 'step':
      if (writer.agentType !== null || isSubagentCall({ toolName: writer.toolName ?? '' })) return 'subagent'
      if (writer.sessionId !== here) return 'session'
      return writer.command === null ? 'edit' : 'command'
  }
}

/** Short words for a narrow margin. The bar beside them shows the kind. */
function marginWords(writer: LineWriter, here: SessionId): string {
  if (writer.kind === 'earlier') return 'Before'
  if (writer.kind === 'outside') return 'You'
  const step = writer.kind === 'undo' ? `Undo after ${writer.step}` : `Step ${writer.step}`
  if (writer.sessionId === here) return writer.agentType === null ? step : `${step}, ${writer.agentType}`
  return `${step}, ${writer.agentType ?? clipped(writer.title || 'untitled', 30)}`
}
