import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { RunningCallTraces, LastTrace } from '../../agent/ports/running-call-traces.ts'

/**
 * Interval in ms at which a running step writes its trace. If the process is killed, at most this much of the step's duration is lost.
 */
const EVERY_MS = 1_000

const Trace = z.object({ atMs: z.number(), tail: z.string() }) satisfies z.ZodType<LastTrace>

/**
 * Writes one small file per running step into `folder`, or nothing if `folder` is null. Nothing is synced: traces survive the end of the
 * process, but not a power cut.
 */
export function createRunningCallTraces(folder: string | null, sessionId: SessionId): RunningCallTraces {
  const file = (toolCallId: ToolCallId): string | null => folder && join(folder, nameOf(sessionId, toolCallId))
  return {
    begin(toolCallId) {
      const path = file(toolCallId)
      return path ? followed(path) : { wrote: () => {}, dispose: () => {} }
    },
    last(toolCallId) {
      const path = file(toolCallId)
      try {
        return path ? Trace.parse(JSON.parse(readFileSync(path, 'utf8'))) : null
      } catch {
        return null
      }
    },
    forget(toolCallId) {
      const path = file(toolCallId)
      if (path) quietly(() => rmSync(path, { force: true }))
    },
  }
}

function followed(path: string): Disposable & { wrote(tail: string): void } {
  let tail = ''
  let writtenAt: number | null = null
  const write = (): void => {
    writtenAt = Date.now()
    quietly(() => writeFileSync(path, JSON.stringify({ atMs: Date.now(), tail } satisfies LastTrace), { mode: 0o600 }))
  }
  const timer = setInterval(write, EVERY_MS)
  timer.unref()
  const end = disposable(() => {
    clearInterval(timer)
    if (writtenAt !== null) quietly(() => rmSync(path, { force: true }))
  })
  return {
    wrote(now) {
      tail = now
      if (writtenAt === null || Date.now() - writtenAt >= EVERY_MS) write()
    },
    dispose: () => end.dispose(),
  }
}

/** The folder for traces, created if it is missing. */
export function tracesFolder(data: string): string {
  const folder = join(data, 'running')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Hashed, because the model chooses the ids of calls, which may therefore contain anything. */
function nameOf(sessionId: SessionId, toolCallId: ToolCallId): string {
  return `${createHash('sha256').update(`${sessionId}\n${toolCallId}`).digest('hex').slice(0, 32)}.json`
}

function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // Traces are optional, so errors are ignored.
  }
}
