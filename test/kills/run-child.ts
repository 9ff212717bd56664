import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { cleanEnv } from '../headless/support/agent-process.ts'

interface EndedChild {
  /** Null if a signal ended the process. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program of the folder `children`, and resolves when it has ended. `options`: options of Node. */
export async function runChild(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): Promise<EndedChild> {
  const child = spawn(process.execPath, [...options, join(import.meta.dirname, 'children', program), ...args], {
    env: { ...cleanEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}
