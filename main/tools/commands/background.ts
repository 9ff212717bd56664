import type { CommandEffect } from '../../../shared/session/effects.ts'
import type { ExecResult } from '../../agent/ports/execution-environment.ts'
import type { RunContext, ToolOutput } from '../../agent/ports/tool.ts'
import { commandDetails } from './command-run.ts'
import { failure, fileFailure } from '../define/outcome.ts'
import { type BackgroundRun, createUnreadOutput } from './background-run.ts'
import type { Shells } from './shells.ts'

/** Starts a command that runs on after its call, and beyond a stop of the turn; it ends by itself, by `kill_shell`, or with the session. */
export async function startInBackground(effect: CommandEffect, run: RunContext, shells: Shells): Promise<ToolOutput> {
  try {
    const started = shells.add(await start(effect, run))
    const words = `Started in the background as ${started.id} (process ${started.pid}). Read its output with bash_output {"id":"${started.id}"}; stop it with kill_shell {"id":"${started.id}"}.`
    return { output: words, isError: false, details: { ...commandDetails(effect, run), background: started.id } }
  } catch (error) {
    return failure(`The command was not started: ${fileFailure(error).message}`, commandDetails(effect, run))
  }
}

async function start(effect: CommandEffect, { env, terminal }: RunContext): Promise<Omit<BackgroundRun, 'id'>> {
  const unread = createUnreadOutput()
  const stop = new AbortController()
  const pid = Promise.withResolvers<number>()
  let ended: ExecResult | null = null
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
  const over = running.then((result) => {
    ended = result
    tell()
  })
  over.catch(pid.reject)
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
      await over
    },
  }
}
