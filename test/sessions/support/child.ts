import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { DurableEvent, Trouble } from '../../../shared/session/events.ts'
import type { RunState, SessionState } from '../../../shared/session/state.ts'

/** A message that a session process prints. */
export type Said =
  | {
      readonly kind: 'ready'
      readonly sessionId: string
      readonly run: RunState
      readonly ended: SessionState['ended']
      readonly runsHere: boolean
      /** The warnings in the session's log. */
      readonly warnings: readonly Trouble[]
    }
  | { readonly kind: 'event'; readonly seq: number; readonly event: DurableEvent }
  | { readonly kind: 'answer'; readonly outcome: unknown }
  | { readonly kind: 'idle'; readonly state: SessionState }

/** A command for the session process. `sign` and `refuse` answer the first waiting request. */
export type Told =
  | { readonly kind: 'send'; readonly text: string; readonly delivery?: 'steer' | 'queue' }
  | { readonly kind: 'resume' | 'sign' | 'refuse' | 'stop' | 'idle' | 'quit' }

export interface SessionProcess {
  readonly pid: number
  readonly sessionId: string
  readonly ready: Extract<Said, { kind: 'ready' }>
  readonly events: readonly DurableEvent[]
  tell(told: Told): void
  /** Resolves with the next message of this kind, even if it has already arrived. */
  said<K extends Said['kind']>(kind: K): Promise<Extract<Said, { kind: K }>>
  event(kind: DurableEvent['kind'], count?: number): Promise<void>
  kill(): Promise<void>
  quit(): Promise<void>
}

export interface ProcessOptions {
  readonly data: string
  readonly folder: string
  readonly modelUrl: string
  readonly mode?: string
  /** Whether commands run in copies of the folder. */
  readonly inCopies?: boolean
  /** If absent, the process creates a new session. */
  readonly sessionId?: string
}

const FILE = fileURLToPath(new URL('../children/session-process.ts', import.meta.url))

/** Starts a real process that runs or follows a session with the real parts. */
export async function startSession(options: ProcessOptions): Promise<SessionProcess> {
  const child = spawn(process.execPath, [FILE, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'pipe'] })
  const gone = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const all: Said[] = []
  const looks = new Set<() => void>()
  const taken = new Map<Said['kind'], number>()
  let ended = false
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = parse(line)
    if (said === null) return
    all.push(said)
    for (const look of looks) look()
  })
  void gone.then(() => {
    ended = true
    for (const look of looks) look()
  })
  const until = <T>(look: () => T | null): Promise<T> =>
    new Promise((resolve, reject) => {
      const again = (): void => {
        const found = look()
        if (found === null && !ended) return
        looks.delete(again)
        if (found !== null) resolve(found)
        else reject(new Error(`The session process has ended: ${complaints}`))
      }
      looks.add(again)
      again()
    })
  const said = <K extends Said['kind']>(kind: K): Promise<Extract<Said, { kind: K }>> => {
    const index = taken.get(kind) ?? 0
    taken.set(kind, index + 1)
    return until(() => all.filter((one): one is Extract<Said, { kind: K }> => one.kind === kind)[index] ?? null)
  }
  const events = (): readonly DurableEvent[] => all.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
  const ready = await said('ready')
  return {
    pid: child.pid ?? 0,
    sessionId: ready.sessionId,
    ready,
    get events() {
      return events()
    },
    tell: (told) => void child.stdin.write(`${JSON.stringify(told)}\n`),
    said,
    event: async (kind, count = 1) =>
      void (await until(() => (events().filter((event) => event.kind === kind).length >= count ? true : null))),
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
    async quit() {
      child.stdin.write('{"kind":"quit"}\n')
      await gone
    },
  }
}

/** The last line of a killed process may be incomplete. */
function parse(line: string): Said | null {
  try {
    return JSON.parse(line) as Said
  } catch {
    return null
  }
}
