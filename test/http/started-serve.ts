import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface StartedServe {
  readonly child: ChildProcess
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>
  /** Resolves with the first line of the entry's output. Rejects with its stderr if the entry exits before it has printed a line. */
  readonly address: Promise<string>
}

/** Starts the real entry of the browser shell as a separate process. */
export function startServe(...args: readonly string[]): StartedServe {
  const child = spawn(process.execPath, ['--import', './main/preflight.mjs', 'main/serve.ts', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }))
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => out.includes('\n') && resolve(out.slice(0, out.indexOf('\n'))))
    void ended.then(({ err: why }) => reject(new Error(why)))
  })
  address.catch(() => {})
  return { child, ended, address }
}
