import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { ExecOptions, RunningTerminal } from '../../agent/ports/execution-environment.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import type { EmulatorSize } from '../../environment/output/terminal-emulator.ts'
import type { Channel } from '../wire/channel.ts'
import type { CommandEvent, ToFar } from '../wire/messages.ts'
import type { Want } from '../wire/schemas.ts'
import { redactedBytes, redactedText } from './redacted-streams.ts'
import { createRemoteTerminal, type RemoteTerminal } from './remote-terminal.ts'

/** The far side is told after this many bytes that they have been processed: a sixteenth of what it sends ahead. */
const TELL_BYTES = 256 * 1024

type Listeners = Pick<ExecOptions, 'onOutput' | 'onProgress' | 'onStart' | 'onWaiting' | 'spool' | 'spoolText' | 'hold'>

export interface TerminalWish {
  readonly size: EmulatorSize
  readonly onOpen: (terminal: RunningTerminal) => void
  readonly onResize?: (size: EmulatorSize) => void
}

/** Where commands go, and what removes secrets from what comes back. The far side does not know them. */
export interface CommandLine {
  readonly channel: Channel<ToFar>
  readonly redactor: Redactor | null
}

/** Hears what happens while a command runs on the far side. */
export interface HeardCommand {
  readonly wants: readonly Want[]
  /** Call this with the id of the call. */
  readonly onId: (id: number) => void
  readonly onEvent: (event: CommandEvent, bytes: Buffer) => void
  /** Call this when the command has ended, so that what was held back is passed on. */
  readonly end: () => void
}

export function hearCommand({ channel, redactor }: CommandLine, listeners: Listeners, wish: TerminalWish | null): HeardCommand {
  let id = 0
  let terminal: RemoteTerminal | null = null
  let isFull = false
  let processed = 0
  const isHeld = (): boolean => isFull || listeners.hold?.isHeld === true
  const tellProcessed = (bytes: number): void => {
    processed += bytes
    if (isHeld() || processed < TELL_BYTES) return
    channel.send({ kind: 'processed', id, count: processed })
    processed = 0
  }
  const open = ({ size, onOpen, onResize }: TerminalWish): RemoteTerminal => {
    const keys = {
      type: (data: string) => channel.send({ kind: 'type', id, data }),
      resize(now: EmulatorSize) {
        onResize?.(now)
        channel.send({ kind: 'resize', id, size: now })
      },
    }
    const opened = createRemoteTerminal(size, keys, (full) => {
      isFull = full
      tellProcessed(0)
    })
    onOpen(opened.running)
    return opened
  }
  const streams = {
    stdout: redactedText(redactor, (text) => {
      listeners.onOutput?.({ stream: 'stdout', text })
      terminal?.data(text)
    }),
    stderr: redactedText(redactor, (text) => listeners.onOutput?.({ stream: 'stderr', text })),
    spool: redactedBytes(redactor, (bytes) => listeners.spool?.(bytes)),
    spoolText: redactedBytes(redactor, (bytes) => listeners.spoolText?.(bytes)),
  }
  const heldOn = listeners.hold?.onChange(() => tellProcessed(0))
  return {
    wants: wantsOf(listeners, wish),
    onId: (own) => (id = own),
    onEvent(event, bytes) {
      switch (event.of) {
        case 'start':
          return listeners.onStart?.(event.pid)
        case 'progress':
          return listeners.onProgress?.(redactor?.text(event.tail) ?? event.tail, event.bytes)
        case 'waiting':
          return listeners.onWaiting?.(event.waits)
        case 'output':
          streams[event.chunk.stream].write(event.chunk.text)
          return tellProcessed(event.chunk.text.length)
        case 'spool':
          streams.spool.write(bytes)
          return tellProcessed(bytes.length)
        case 'spoolText':
          streams.spoolText.write(bytes)
          return tellProcessed(bytes.length)
        case 'terminal-open':
          if (wish && !terminal) terminal = open(wish)
          return
        case 'terminal-data':
          streams.stdout.write(event.text)
          return tellProcessed(event.text.length)
        case 'terminal-waits':
          return terminal?.waits(event.waits)
        case 'terminal-exit':
          streams.stdout.end()
          return terminal?.exit(event.exitCode)
        default:
          return assertNever(event)
      }
    },
    end() {
      heldOn?.dispose()
      for (const stream of Object.values(streams)) stream.end()
    },
  }
}

function wantsOf(listeners: Listeners, wish: TerminalWish | null): readonly Want[] {
  const all: Readonly<Record<Want, unknown>> = {
    output: listeners.onOutput,
    progress: listeners.onProgress,
    start: listeners.onStart,
    waiting: listeners.onWaiting,
    spool: listeners.spool,
    spoolText: listeners.spoolText,
    terminal: wish ?? undefined,
  }
  return (Object.keys(all) as Want[]).filter((want) => all[want] !== undefined)
}
