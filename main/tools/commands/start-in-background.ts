import { failure } from '../../agent/tool-output.ts'
import type { CommandEffect } from '../../../shared/session/effects.ts'
import type { ExecResult } from '../../agent/ports/execution-environment.ts'
import type { RunContext, ToolOutput } from '../../agent/ports/tool.ts'
import { fileFailure } from '../define/tool-path.ts'
import { commandDetails } from './command-run.ts'
import { drawnLines } from './drawn-lines.ts'
import type { BackgroundRun, Shells } from './session-shells.ts'

/** Starts a command that continues after its call, even if the turn is stopped. It runs until it exits, is killed, or the session ends. */
export async function startInBackground(effect: CommandEffect, run: RunContext, shells: Shells): Promise<ToolOutput> {
  try {
    const started = shells.add(await start(effect, run))
    const words = `Started in the background as ${started.id} (process ${started.pid}). Read its output with bash_output {"id":"${started.id}"}; stop it with kill_shell {"id":"${started.id}"}.`
    return { output: words, isError: false, details: { ...commandDetails(effect, run), background: started.id } }
  } catch (error) {
    return failure(`The command was not started: ${fileFailure(error).message}`, commandDetails(effect, run))
  }
}

async function start(effect: CommandEffect, { env, terminal, endedLater }: RunContext): Promise<Omit<BackgroundRun, 'id'>> {
  const unread = createUnreadOutput()
  const stop = new AbortController()
  const pid = Promise.withResolvers<number>()
  let ended: ExecResult | null = null
  let hasStarted = false
  let news = Promise.withResolvers<void>()
  const tell = (): void => {
    news.resolve()
    news = Promise.withResolvers()
  }
  const running = env.execCommand(effect.command, {
    workingDir: effect.cwd,
    envVars: effect.env,
    timeoutMs: effect.timeoutMs,
    signal: stop.signal,
    onStart: pid.resolve,
    onOutput({ text }) {
      unread.push(text)
      tell()
    },
    ...(terminal && { terminal: { ...terminal, onOpen: (opened) => terminal.onOpen({ ...opened, end: () => stop.abort() }) } }),
  })
  const startedAt = performance.now()
  pid.promise.then(
    () => (hasStarted = true),
    () => {},
  )
  const over = running
    .catch((error: unknown) => {
      if (!hasStarted) throw error
      // The process that ran the command for us has ended, and so has the command.
      unread.push(`\n${fileFailure(error).message}\n`)
      return { ...LOST, durationMs: Math.round(performance.now() - startedAt) }
    })
    .then((result) => {
      ended = result
      tell()
      return result
    })
  over.catch(pid.reject)
  const settled = over.then((result) => endedLater?.(effect.command, result))
  settled.catch(() => {})
  return {
    command: effect.command,
    pid: await pid.promise,
    ended: () => ended,
    unread: () => unread.take(ended !== null),
    async news(signal) {
      if (ended || !unread.isEmpty || signal.aborted) return
      const given = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => given.resolve(), { once: true })
      await Promise.race([news.promise, given.promise])
    },
    async stop() {
      stop.abort()
      await settled
    },
  }
}

/** The result of a command that ended together with the process that ran it for us. */
const LOST = { stdout: '', stderr: '', exitCode: null, signal: null, timedOut: false, aborted: false, bytes: 0, complete: false } as const

/** Maximum number of characters of unread output that are kept. */
const KEPT = 1024 * 1024

interface UnreadOutput {
  push(text: string): void
  take(isOver: boolean): { readonly text: string; readonly dropped: number }
  /** Whether there is no output to read yet. */
  readonly isEmpty: boolean
}

/** Keeps output until it is read. An incomplete escape sequence waits for its end. */
function createUnreadOutput(): UnreadOutput {
  let held = ''
  let dropped = 0
  return {
    push(text) {
      held += text
      // The text may reach twice the limit before it is cut, so that cuts are rare.
      if (held.length <= 2 * KEPT) return
      const cut = held.indexOf('\n', held.length - KEPT) + 1 || held.length - KEPT
      dropped += cut
      held = held.slice(cut)
    },
    take(isOver) {
      const begun = isOver ? '' : begunIn(held)
      const taken = { text: drawnLines(held.slice(0, held.length - begun.length)), dropped }
      held = begun
      dropped = 0
      return taken
    },
    get isEmpty() {
      return held === begunIn(held)
    },
  }
}

/** Returns the incomplete escape sequence at the end of the text; empty if there is none. */
function begunIn(text: string): string {
  return /\x1b(?:\[[^@-~]{0,200}|[\]PX^_][^\x07\x1b]{0,1000}\x1b?|[ -/]{1,3})?$/u.exec(text)?.[0] ?? ''
}
