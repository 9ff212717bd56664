import type { ExecResult } from '../agent/ports/execution-environment.ts'

/**
 * What the model reads of a command (P3-26): its output, its errors under a heading of their own, and one line with how it ended and
 * how long it took. The environment has put the words on a time-out below the partial output (S-31).
 */
export function shellOutput(result: ExecResult): string {
  const parts = [result.stdout, result.stderr === '' ? '' : `stderr:\n${result.stderr}`].filter((part) => part !== '')
  return [...parts.map((part) => part.replace(/\n$/u, '')), ...left(result), ending(result)].join('\n')
}

function ending({ exitCode, signal, timedOut, aborted, durationMs }: ExecResult): string {
  const time = `${durationMs} ms`
  if (aborted) return `Stopped after ${time}`
  if (timedOut) return `Timed out after ${time}`
  return exitCode === null ? `Ended by ${signal ?? 'a signal'} after ${time}` : `Exit code: ${exitCode} (${time})`
}

function left({ leftRunning = [] }: ExecResult): readonly string[] {
  if (leftRunning.length === 0) return []
  return [`Still running in the background: ${leftRunning.map((pid) => `process ${pid}`).join(', ')}.`]
}
