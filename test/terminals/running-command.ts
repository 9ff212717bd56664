import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ExecResult, RunningTerminal } from '../../main/agent/ports/execution-environment.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import type { Terminals } from '../../main/terminals/terminals.ts'
import { SessionId, ToolCallId } from '../../shared/lib/ids.ts'

export const SIZE = { columns: 80, rows: 24 }
export const key = (call: string) => ({ sessionId: SessionId.parse('session'), toolCallId: ToolCallId.parse(call) })
export const CALL = key('call')

export interface Started {
  readonly terminal: RunningTerminal
  readonly result: Promise<ExecResult>
  readonly stop: () => void
}

/** Runs a command in a real pty and offers its terminal before its first output. */
export async function start(terminals: Terminals, command: string, call = CALL): Promise<Started> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'terminals-')))
  const env = createLocalExecutionEnvironment(folder)
  const controller = new AbortController()
  onTestFinished(async () => {
    controller.abort()
    await env.cleanup()
    rmSync(folder, { recursive: true, force: true })
  })
  const opened = Promise.withResolvers<RunningTerminal>()
  const onOpen = (terminal: RunningTerminal): void => {
    terminals.offer(call, terminal)
    opened.resolve(terminal)
  }
  const result = env.execCommand(command, { terminal: { ...SIZE, onOpen }, timeoutMs: 60_000, signal: controller.signal })
  return { terminal: await opened.promise, result, stop: () => controller.abort() }
}
