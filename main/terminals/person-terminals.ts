import type { TerminalStatus } from '../../shared/api/terminals.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { newId, type SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { NO_TIME_LIMIT_MS } from '../../shared/session/effects.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { ExecutionEnvironment, RunningTerminal } from '../agent/ports/execution-environment.ts'
import { commandEnvironment } from '../environment/env-policy.ts'
import { launchEnvironment } from '../environment/launch-environment.ts'
import { createTerminals, type Terminals } from './terminals.ts'

/** The user's own shells in the folders and layers of sessions. No agent sees them, and nothing about them is stored. */
export interface PersonTerminals extends Pick<Terminals, 'has' | 'attach' | 'ack' | 'write' | 'resize' | 'end'> {
  /** Starts the user's shell in this place and types this text at its prompt, without pressing Enter. Closes the place in the end. */
  open(sessionId: SessionId, place: TerminalPlace, typed: string): Promise<Result<ToolCallId, Trouble>>
  /** The shells that are running. */
  status(): readonly TerminalStatus[]
  onStatus(listener: () => void): Disposable
  close(): Promise<void>
}

/** Where a terminal works: a folder, or a layer over it. */
export interface TerminalPlace {
  readonly environment: ExecutionEnvironment
  /** Whether the agent's programs run beside it, and could read its variables. It then gets no secrets. */
  readonly isLayer?: boolean
  /** Whether it works on another machine, which gets none of this one's variables. */
  readonly isFar?: boolean
  /** Releases the environment. */
  close(): Promise<void>
}

const SIZE = { columns: 120, rows: 12 } as const
/** The prompt counts as shown after `QUIET_MS` ms without output, or after `LONGEST_WAIT_MS` ms in any case. */
const QUIET_MS = 300
const LONGEST_WAIT_MS = 10_000
/** Maximum number of shells that are open at the same time. Before opening more, the user must close some. */
const MAX_TERMINALS = 10

/** Variables that our commands get but that a user at a terminal does not want: they disable the pager and git's prompts. */
const NOT_OURS = ['PAGER', 'GIT_PAGER', 'GIT_TERMINAL_PROMPT', 'GIT_OPTIONAL_LOCKS'] as const

export function createPersonTerminals(platform: NodeJS.Platform = process.platform): PersonTerminals {
  const terminals = createTerminals()
  /** How to end each open shell. */
  const open = new Set<() => Promise<void>>()
  return {
    ...terminals,
    status: () => terminals.status().filter(({ runs }) => runs),
    async open(sessionId, { environment, close, isLayer = false, isFar = false }, typed) {
      if (open.size >= MAX_TERMINALS) {
        await close()
        return failed(TOO_MANY)
      }
      const toolCallId = ToolCallId.parse(newId('own'))
      const { promise, resolve } = Promise.withResolvers<RunningTerminal | null>()
      const stop = new AbortController()
      const end = async (): Promise<void> => {
        stop.abort()
        await ended
      }
      const untilEnd = async (): Promise<Trouble | null> => {
        open.add(end)
        try {
          const policy = isLayer ? 'inherit_core' : 'inherit_all'
          const own = { ...commandEnvironment(launchEnvironment(), { policy, terminal: true }), ...personsOwn() }
          const envVars = isFar ? {} : own
          const terminal = { ...SIZE, onOpen: resolve }
          await environment.execCommand(shellLine(isFar ? environment.platform() : platform), {
            envVars,
            signal: stop.signal,
            timeoutMs: NO_TIME_LIMIT_MS,
            terminal,
          })
          return null
        } catch (error) {
          return notOpened(error instanceof Error ? error.message : String(error))
        } finally {
          open.delete(end)
          await close()
        }
      }
      const ended = untilEnd()
      void ended.then(() => resolve(null))
      const opened = await promise
      if (!opened) return failed((await ended) ?? notOpened('Countersign cannot open a terminal on this machine.'))
      terminals.offer({ sessionId, toolCallId }, { ...opened, end: () => stop.abort() })
      typeAtPrompt(opened, typed)
      return ok(toolCallId)
    },
    async close() {
      await Promise.all([...open].map((end) => end()))
    },
  }
}

/**
 * Terminals of macOS start login shells, because the user's PATH is set in the start files of those. Accounts of services have a program as
 * shell that only ends. They get `sh`.
 */
function shellLine(platform: string): string {
  if (platform === 'win32') return 'powershell -NoLogo'
  const shell = `case "\${SHELL##*/}" in ''|nologin|false) SHELL=/bin/sh;; esac;`
  return `unset ${NOT_OURS.join(' ')}; ${restored()} ${shell} exec "$SHELL" ${platform === 'darwin' ? '-il' : '-i'}`
}

/** Returns shell code that restores the user's own values of these variables, which are stored under other names. */
function restored(): string {
  return NOT_OURS.map((name) => `[ -n "\${OWN_${name}+x}" ] && export ${name}="$OWN_${name}"; unset OWN_${name};`).join(' ')
}

function personsOwn(): Readonly<Record<string, string>> {
  const person = launchEnvironment()
  return Object.fromEntries(NOT_OURS.flatMap((name) => (person[name] === undefined ? [] : [[`OWN_${name}`, person[name]]])))
}

/** Text that is typed before the shell shows its prompt would appear twice. */
function typeAtPrompt(terminal: RunningTerminal, typed: string): void {
  if (typed === '') return
  let quiet: NodeJS.Timeout | undefined
  const stopped: Disposable[] = []
  const write = (): void => {
    clearTimeout(quiet)
    clearTimeout(longest)
    for (const one of stopped) one.dispose()
    terminal.write(typed)
  }
  const longest = setTimeout(write, LONGEST_WAIT_MS)
  stopped.push(
    terminal.onData(() => {
      clearTimeout(quiet)
      quiet = setTimeout(write, QUIET_MS)
    }),
    terminal.onExit(() => {
      clearTimeout(quiet)
      clearTimeout(longest)
    }),
  )
}

const notOpened = (why: string): Trouble => ({
  code: 'terminal_not_opened',
  what: `The terminal was not opened: ${why}`,
  kept: 'Everything is unchanged.',
  todo: 'Run the command in your own terminal.',
})

const TOO_MANY: Trouble = {
  code: 'too_many_terminals',
  what: `You already have ${MAX_TERMINALS} terminals open.`,
  kept: 'All of them are still open.',
  todo: 'Close some of them, then open a new one.',
}
