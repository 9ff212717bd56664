import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { ToolCallPart } from '../../../shared/session/content.ts'
import type { SeenFile } from '../../../shared/session/events.ts'
import type { CallSession } from '../ports/call-session.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { RunContext, Spool, ToolOutput } from '../ports/tool.ts'
import { errorOutput, toolError } from './find-call.ts'
import { type CallEnd, callEnd } from './call-end.ts'
import type { DispatchParts } from './parts.ts'
import { stopOf } from './stop-reason.ts'

export interface RunParts extends DispatchParts {
  readonly publish: EventLog['publish']
  readonly session: CallSession
}

/** Characters of a running command's last lines (events.ts). */
const MOST_SHOWN = 2000
/** How long a tool may take to end after a stop, in ms: an ended command gets 2 s before it is killed (P2-45), and some to be read out. */
const STOPPING_MS = 5000

/** Carries a prepared call out and gives the event of its end. Never rejects: a tool that throws has failed (P3-18). */
export async function runCall(
  part: ToolCallPart,
  commit: (run: RunContext) => Promise<ToolOutput>,
  parts: RunParts,
  signal: AbortSignal,
): Promise<CallEnd> {
  const began = parts.clock.elapsed()
  const saw: SeenFile[] = []
  const run: RunContext = {
    env: parts.env,
    signal,
    toolCallId: part.toolCallId,
    bytes: (blob) => parts.blobs.get(blob),
    session: parts.session,
    saw(path, content, lines) {
      const seen = hash('sha256', content, 'hex') as BlobHash
      saw.push({ path, hash: seen, ...(lines && { lines }) })
      return seen
    },
    progress: (tail, bytes, waitsForInput = false) =>
      parts.publish({
        ...{ kind: 'TOOL_CALL_OUTPUT_DELTA', toolCallId: part.toolCallId, tail: parts.redactor.text(tail).slice(-MOST_SHOWN), bytes },
        ...(waitsForInput && { waitsForInput }),
      }),
    terminal: parts.terminal(part.toolCallId),
    openSpool: () => redactedSpool(parts),
  }
  const over = new AbortController()
  const { output, threw } = await Promise.race([outputOf(commit, run), deaf(parts, signal, over.signal)])
  // With a reason: for none an exception with a stack is made.
  over.abort('over')
  const durationMs = Math.round(parts.clock.elapsed() - began)
  // What had come to a good end before the stop reached it stands as done.
  if (!signal.aborted || !output.isError)
    return callEnd({ part, output, outcome: output.isError ? 'failed' : 'done', durationMs, saw }, parts)
  const { outcome, words } = stopOf(signal)
  return callEnd({ part, output: withWords(threw ? errorOutput('') : output, words), outcome, durationMs, saw }, parts)
}

/** An environment of a host hides nothing itself, and the whole output of a long command is kept as it comes. */
function redactedSpool({ openSpool, redactor }: Pick<DispatchParts, 'openSpool' | 'redactor'>): Spool {
  const spool = openSpool()
  const stream = redactor.stream((bytes) => spool.write(bytes))
  return {
    write: (bytes) => stream.write(Buffer.from(bytes)),
    end() {
      stream.end()
      return spool.end()
    },
  }
}

interface Outcome {
  readonly output: ToolOutput
  readonly threw: boolean
}

async function outputOf(commit: (run: RunContext) => Promise<ToolOutput>, run: RunContext): Promise<Outcome> {
  try {
    return { output: await commit(run), threw: false }
  } catch (error) {
    return { output: errorOutput(toolError(error)), threw: true }
  }
}

/** A tool that does not hear a stop must not keep the turn from ending. Never resolves once the call is over. */
function deaf({ clock }: RunParts, signal: AbortSignal, over: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const output = errorOutput(`The tool did not end within ${STOPPING_MS} ms of being stopped; its outcome is unknown.`)
    const wait = (): void =>
      void clock
        .sleep(STOPPING_MS, over)
        .then(() => resolve({ output, threw: false }))
        .catch(() => {})
    if (signal.aborted) wait()
    else signal.addEventListener('abort', wait, { once: true, signal: over })
  })
}

/** The model is told in words how the call ended; the desk says it in its own way, so people see the output alone. */
function withWords(output: ToolOutput, words: string): ToolOutput {
  const text = typeof output.output === 'string' ? output.output : ''
  return { ...output, output: text === '' ? words : `${text.trimEnd()}\n${words}`, shown: output.shown ?? text }
}
