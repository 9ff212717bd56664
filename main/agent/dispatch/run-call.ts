import { hash } from 'node:crypto'
import type { BlobHash, ToolCallId } from '../../../shared/lib/ids.ts'
import type { ToolCallPart } from '../../../shared/session/content.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { RunContext, ToolOutput } from '../ports/tool.ts'
import { errorOutput, toolError } from './find-call.ts'
import { type CallEnd, callEnd } from './call-end.ts'
import type { DispatchParts } from './parts.ts'
import { stopOf } from './stop-reason.ts'

export interface RunParts extends DispatchParts {
  readonly publish: EventLog['publish']
}

/** How often a running command's last lines are shown, in ms: a reader's eye needs no more. */
const SHOW_EVERY_MS = 50
/** Characters of them (events.ts). */
const MOST_SHOWN = 2000

/** Carries a prepared call out and gives the event of its end. Never rejects: a tool that throws has failed (P3-18). */
export async function runCall(
  part: ToolCallPart,
  commit: (run: RunContext) => Promise<ToolOutput>,
  parts: RunParts,
  signal: AbortSignal,
): Promise<CallEnd> {
  const began = parts.clock.now()
  const saw: { readonly path: string; readonly hash: BlobHash }[] = []
  const shown = createShown(part.toolCallId, parts)
  const run: RunContext = {
    env: parts.env,
    signal,
    toolCallId: part.toolCallId,
    bytes: (blob) => parts.blobs.get(blob),
    saw: (path, content) => void saw.push({ path, hash: hash('sha256', content, 'hex') as BlobHash }),
    progress: shown.progress,
    terminal: parts.terminal(part.toolCallId),
    openSpool: () => parts.openSpool(),
  }
  const { output, threw } = await outputOf(commit, run)
  shown.end()
  const durationMs = parts.clock.now() - began
  // What had come to a good end before the stop reached it stands as done.
  if (!signal.aborted || !output.isError)
    return callEnd({ part, output, outcome: output.isError ? 'failed' : 'done', durationMs, saw }, parts)
  const { outcome, words } = stopOf(signal)
  return callEnd({ part, output: threw ? errorOutput(words) : withWords(output, words), outcome, durationMs, saw }, parts)
}

async function outputOf(
  commit: (run: RunContext) => Promise<ToolOutput>,
  run: RunContext,
): Promise<{ readonly output: ToolOutput; readonly threw: boolean }> {
  try {
    return { output: await commit(run), threw: false }
  } catch (error) {
    return { output: errorOutput(toolError(error)), threw: true }
  }
}

function withWords(output: ToolOutput, words: string): ToolOutput {
  const text = typeof output.output === 'string' ? output.output : ''
  return { ...output, output: text === '' ? words : `${text.trimEnd()}\n${words}` }
}

/** The first change at once, then at most one per interval, and always the last one, for a command that asks something and waits. */
function createShown(toolCallId: ToolCallId, { clock, publish }: Pick<RunParts, 'clock' | 'publish'>) {
  const ended = new AbortController()
  let latest: { readonly tail: string; readonly bytes: number } | null = null
  let waiting = false
  const show = (): void => {
    waiting = false
    if (!latest || ended.signal.aborted) return
    const { tail, bytes } = latest
    latest = null
    publish({ kind: 'TOOL_CALL_OUTPUT_DELTA', toolCallId, tail, bytes })
    waiting = true
    clock.sleep(SHOW_EVERY_MS, ended.signal).then(show, () => {})
  }
  return {
    progress(tail: string, bytes: number): void {
      latest = { tail: tail.slice(-MOST_SHOWN), bytes }
      if (!waiting) show()
    },
    end: () => ended.abort(),
  }
}
