import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { builtShell } from '../../support/built-shell.ts'
import { removeFolder } from '../../support/remove-folder.ts'

export const ROOT = join(import.meta.dirname, '../../..')

export interface DeskOptions {
  readonly data: string
  readonly port?: number
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
  /** `off`: commands run outside a copy after they are signed. Default: the shell decides. */
  readonly sandbox?: 'auto' | 'off'
  /** More arguments of the desktop shell, such as switches of Chromium. */
  readonly switches?: readonly string[]
  /** An installed desktop app, which is started in place of the built shell. */
  readonly program?: string
  /** A command that is placed before the shell's command, for example `setpriv`. */
  readonly by?: readonly string[]
}

/** The browser shell as a separate process, as a user starts it. */
export interface RunningDesk {
  /** The address with its one-time token in it. */
  readonly address: string
  readonly pid: number
  /** Returns everything that the shell has written to stderr. */
  errors(): string
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL, so the shell cannot clean up anything. */
  kill9(): Promise<void>
}

/** Starts the built browser shell. Rejects with its stderr if it exits before it prints an address. */
export async function startDesk({ data, port = 0, folder, env = {}, sandbox = 'auto', by = [] }: DeskOptions): Promise<RunningDesk> {
  const { browser, codeCache } = builtShell()
  const args = [browser, '--port', String(port), '--data', data, ...(folder ? ['--folder', folder] : []), '--sandbox', sandbox]
  const [program = process.execPath, ...rest] = [...by, process.execPath, ...args]
  const child = spawn(program, rest, {
    cwd: ROOT,
    env: { ...cleanEnv(), NODE_COMPILE_CACHE: codeCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const address = await addressOf(child, () => errors)
  return {
    address,
    pid: child.pid ?? -1,
    errors: () => errors,
    stop: () => end(child, 'SIGTERM'),
    async kill9() {
      await end(child, 'SIGKILL')
    },
  }
}

async function addressOf(child: ChildProcess, errors: () => string): Promise<string> {
  const lines = createInterface({ input: child.stdout ?? process.stdin })
  for await (const line of lines) {
    const address = /http:\/\/127\.0\.0\.1:\d+\/#\S+/.exec(line)?.[0]
    if (!address) continue
    child.stdout?.resume()
    return address
  }
  throw new Error(`The shell ended without an address: ${errors()}`)
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
  return child.exitCode
}

/** Returns an environment without the keys and settings of whoever runs the tests. */
export function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_API_KEY$|_BASE_URL$|^COUNTERSIGN_|^npm_/.test(name)))
}

/** Creates a temporary folder. Returns its real path and a function that removes it. */
export function temporary(name: string): { readonly path: string; remove(): Promise<void> } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `countersign-${name}-`)))
  return { path, remove: async () => removeFolder(path) }
}
