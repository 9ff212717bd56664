import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright/test'
import { assertNever } from '../../../../shared/lib/assert-never.ts'
import { builtShell } from '../../../support/built-shell.ts'
import { type DeskOptions, type RunningDesk, ROOT, cleanEnv, end } from '../running-desk.ts'
import { DrawnPage } from './drawn-page.ts'
import type { FromDesktop, ToDesktop } from './desktop-messages.ts'

/** The desktop shell, with what only the system around it can do to it. */
export interface RunningDesktop extends RunningDesk {
  /** Sends something from the system or the browser. */
  readonly give: (message: ToDesktop) => void
  /** Resolves with the exit code when the app has ended. */
  readonly ended: Promise<number | null>
  /** What the page's content policy has blocked, as `directive: address`. */
  readonly violations: readonly string[]
}

/** The script that starts the desktop shell on the fake Electron. Its first argument is the shell's entry file. */
export const DESKTOP_SCRIPT = fileURLToPath(new URL('start-desktop.ts', import.meta.url))

/** Starts the built desktop shell on the fake Electron, and draws its window's page in `page`. */
export async function startDesktop(
  { data, folder, env = {}, sandbox = 'auto', switches = [], program }: DeskOptions,
  page: Page,
): Promise<RunningDesktop> {
  const { browser, codeCache } = builtShell()
  const args = ['--data', data, '--sandbox', sandbox, ...(folder ? ['--folder', folder] : []), ...switches]
  const built = [process.execPath, DESKTOP_SCRIPT, join(dirname(browser), 'index.js')]
  const [command = '', ...before] = program === undefined ? built : [program]
  const child = spawn(command, [...before, ...args], {
    cwd: ROOT,
    env: { ...cleanEnv(), NODE_COMPILE_CACHE: codeCache, TERM: 'xterm', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  // A message to a process that has just been killed is lost, as it should be.
  child.on('error', () => {})
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const give = (message: ToDesktop): void => {
    if (child.connected) child.send(message, () => {})
  }
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const drawn = new DrawnPage(page, give)
  const address = await addressOf(child, drawn, () => errors)
  return {
    address,
    pid: child.pid ?? -1,
    give,
    ended,
    violations: drawn.violations,
    errors: () => errors,
    stop: () => end(child, 'SIGTERM'),
    async kill9() {
      await end(child, 'SIGKILL')
    },
  }
}

/** Resolves with the address of the page when the window has loaded it, and from then on passes messages to the drawn page. */
function addressOf(child: ChildProcess, drawn: DrawnPage, errors: () => string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let isFirst = true
  child.once('exit', () => reject(new Error(`The desktop shell ended without a window: ${errors()}`)))
  child.on('message', (message: FromDesktop) => {
    switch (message.kind) {
      case 'loads': {
        if (!isFirst) return void drawn.load(message.url)
        isFirst = false
        return void drawn.attach(message.preload).then(() => resolve(drawn.addressOf(message.url)), reject)
      }
      case 'asks':
        return drawn.ask(message.url)
      case 'response':
        return drawn.respond(message.id, message.response)
      case 'tells':
        return drawn.tell(message.channel, message.args)
      default:
        return assertNever(message)
    }
  })
  return promise
}
