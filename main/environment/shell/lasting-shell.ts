import { randomBytes } from 'node:crypto'
import type { LastingShell, ShellExecOptions, ShellExecResult, ShellOptions } from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import { within } from '../../agent/abortable.ts'
import { checkedCommand, type Ending, execResult, firstOf, NOT_STARTED } from '../process/command-result.ts'
import { type CommandParts, DRAIN_MS, endByForce, held } from '../process/run-command.ts'
import type { Exit } from '../process/started-command.ts'
import { createTimeLimit } from '../process/time-limit.ts'
import { createShellOutput, type ShellCommandOutput } from './shell-output.ts'
import { type ShellProcess, startShellProcess } from './shell-process.ts'
import { commandTexts, FRESH, parseState, type ShellState } from './shell-state.ts'

/** Maximum time in ms between stopping a command and the shell's end marker. */
const WORD_MS = 5_000

/** How a command that was not stopped ended: the shell reported its new state, or it exited. */
type ShellEnd = { readonly kind: 'state'; readonly state: ShellState } | { readonly kind: 'exit'; readonly exit: Exit }

export async function openLastingShell(parts: CommandParts, cwd: string, { terminal, ...options }: ShellOptions): Promise<LastingShell> {
  const output = createShellOutput(terminal ?? null, parts.redactor)
  const shell = await startShellProcess(parts, cwd, terminal ?? null, output.onBytes, options)
  output.connect(shell)
  return new BashShell(parts, shell, output, cwd)
}

class BashShell implements LastingShell {
  readonly ended: Promise<void>
  readonly #parts: CommandParts
  readonly #shell: ShellProcess
  readonly #output
  #state: ShellState
  #exit: Exit | null = null
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: CommandParts, shell: ShellProcess, output: ReturnType<typeof createShellOutput>, cwd: string) {
    this.#parts = parts
    this.#shell = shell
    this.#output = output
    this.#state = { ...FRESH, cwd }
    this.ended = shell.started.exit.then(() => {})
    void shell.started.exit.then((exit) => this.#hasExited(exit))
  }

  run(command: string, options: ShellExecOptions = {}): Promise<ShellExecResult> {
    const mine = this.#last.then(() => this.#runNow(command, options))
    this.#last = mine.catch(() => {})
    return mine
  }

  workingDirectory(): string {
    return this.#state.cwd
  }

  isAlive(): boolean {
    return this.#exit === null
  }

  async close(): Promise<void> {
    this.#exit ??= await endByForce(this.#parts.table, this.#shell)
    await this.#letGo()
  }

  async #runNow(command: string, options: ShellExecOptions): Promise<ShellExecResult> {
    const timeoutMs = checkedCommand(command, options.timeoutMs)
    if (this.#exit) throw new EnvironmentFailure('ESHELLENDED', 'The shell has ended.')
    if (options.signal?.aborted) return { ...NOT_STARTED, shellEnded: false }
    const begin = performance.now()
    const own = createTimeLimit(timeoutMs, options)
    const limit = this.#parts.limits?.add(own) ?? own
    const output = this.#output.begin({ ...options, ...held(limit, options) })
    options.onStart?.(this.#shell.owned.pid)
    const ending = await firstOf(this.#ended(command), limit, options.signal)
    const waited = limit.waitsForInput
    const { exit, shellEnded } = await this.#finish(ending, output)
    const collected = await output.end(exit.exitCode)
    const result = {
      waited,
      timeoutMs,
      exit,
      collected,
      left: [],
      durationMs: performance.now() - begin,
      inTerminal: this.#shell.pty !== null,
    }
    return { ...execResult({ ...result, ending: ending.kind }), shellEnded }
  }

  #ended(command: string): Promise<ShellEnd> {
    const status = Promise.withResolvers<ShellEnd>()
    const before = this.#state
    this.#shell.control.onMessage((message) => status.resolve({ kind: 'state', state: parseState(message, before) }))
    for (const text of commandTexts(command, before)) this.#shell.control.send(text)
    return Promise.race([status.promise, this.#shell.started.exit.then((exit): ShellEnd => ({ kind: 'exit', exit }))])
  }

  /** Reads the output to its end. Afterwards, the shell is ready for the next command or has ended. */
  async #finish(ending: Ending<ShellEnd>, output: ShellCommandOutput): Promise<{ readonly exit: Exit; readonly shellEnded: boolean }> {
    const { started } = this.#shell
    if (ending.kind === 'end' && ending.end.kind === 'state') {
      this.#state = ending.end.state
      const word = `\x1e${randomBytes(18).toString('base64url')}\x1e`
      const read = output.readUpTo(word)
      this.#shell.control.send(word)
      const inTime = await within(Promise.race([read, started.exit]), WORD_MS)
      if (inTime && !this.#exit) return { exit: { exitCode: ending.end.state.exitCode, signal: null }, shellEnded: false }
    }
    const exit = ending.kind === 'end' && ending.end.kind === 'exit' ? ending.end.exit : await endByForce(this.#parts.table, this.#shell)
    started.flush()
    const isDrained = await within(started.drained, DRAIN_MS)
    if (ending.kind === 'end') await this.#parts.table.release(this.#shell.owned, !isDrained)
    this.#exit ??= exit
    await this.#letGo()
    return { exit, shellEnded: true }
  }

  /** Called when the shell has exited. Closes everything that could keep this process from exiting. */
  async #hasExited(exit: Exit): Promise<void> {
    this.#exit = exit
    await this.#last
    await this.#parts.table.release(this.#shell.owned, true)
    await this.#letGo()
  }

  async #letGo(): Promise<void> {
    await this.#shell.started.close()
    await this.#shell.control.close()
  }
}
