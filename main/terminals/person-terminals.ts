import type { OwnTerminal, TerminalItem } from '../../shared/api/terminals.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import { newId, type SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { RunningTerminal } from '../agent/ports/execution-environment.ts'
import type { KeptTerminal, KeptTerminals } from '../store/kept-terminals.ts'
import { notOpened, notStarted, type Shell, startWanted, type TerminalPlace, withEarlier } from './own-shell.ts'
import { createScreenKeeper } from './screen-keeper.ts'
import { createTerminals, type TerminalKey, type Terminals } from './terminals.ts'
import { typeAtPrompt } from './type-at-prompt.ts'

/**
 * The user's own terminals in the folders and layers of sessions. No agent sees them. Their screens are kept, so that a restart restores
 * each terminal: it shows the earlier screen and a new shell below.
 */
export interface PersonTerminals extends Pick<Terminals, 'ack' | 'write' | 'resize' | 'end'> {
  /** Starts the user's shell in this place and types this text at its prompt, without pressing Enter. Closes the place at the end. */
  open(sessionId: SessionId, place: TerminalPlace, typed: string): Promise<Result<ToolCallId, Trouble>>
  has(key: TerminalKey): boolean
  /** As in `Terminals`. Starts the shell of a restored terminal. If the shell cannot be started, yields the earlier screen and the reason. */
  attach(key: TerminalKey, signal: AbortSignal): AsyncIterable<TerminalItem>
  rename(key: TerminalKey, name: string): void
  /** The open terminals, oldest first. The shell of a restored terminal does not run until the terminal is shown. */
  status(): readonly OwnTerminal[]
  onStatus(listener: () => void): Disposable
  /** The sessions of the terminals in which something runs, one for each. A shell that waits at its prompt does not count. */
  working(): readonly SessionId[]
  /** Keeps the screens of the terminals, and ends their shells. */
  close(): Promise<void>
}

export interface PersonTerminalParts {
  readonly platform?: NodeJS.Platform
  /** Where screens are kept. Null to keep none. */
  readonly kept?: KeptTerminals | null
  /** Whether a session still exists. Terminals of other sessions are not restored. */
  readonly isSession?: (sessionId: SessionId) => boolean
  /** Opens the place of a restored terminal. */
  readonly openPlace?: (sessionId: SessionId, isInLayer: boolean) => Promise<Result<TerminalPlace, Trouble>>
}

/** Maximum number of terminals that are open at the same time. Before opening more, the user must close some. */
const MAX_TERMINALS = 10

interface Own {
  readonly key: TerminalKey
  name: string
  readonly isInLayer: boolean
  /** Whether its shell runs in a layer and can write anywhere. Known once it has started. */
  isUnconfined: boolean
  /** The screen before the restart. Empty for a terminal that was not restored. */
  readonly earlier: string
  shell: Shell | null
  /** Resolves when the shell has started (null) or failed to start (the trouble). Null for a restored terminal that was not shown yet. */
  starting: Promise<Trouble | null> | null
}

export function createPersonTerminals(parts: PersonTerminalParts = {}): PersonTerminals {
  const { platform = process.platform, kept = null, isSession = () => true, openPlace } = parts
  const terminals = createTerminals()
  const changed = new Emitter<void>()
  const owns = new Map<ToolCallId, Own>()
  const keeper = createScreenKeeper(kept)
  const starts = new Set<Promise<unknown>>()
  let isClosing = false
  for (const own of restored(kept, isSession)) owns.set(own.key.toolCallId, own)
  terminals.onStatus(() => changed.fire())

  const forget = (own: Own): void => {
    own.shell = null
    if (isClosing) return
    owns.delete(own.key.toolCallId)
    keeper.drop(own.key.toolCallId)
    changed.fire()
  }
  const start = async (own: Own, place: TerminalPlace): Promise<Result<Shell, Trouble>> => {
    const isWanted = (): boolean => !isClosing && owns.has(own.key.toolCallId)
    const starting = startWanted(place, platform, isWanted, () => own.shell && forget(own))
    starts.add(starting)
    const started = await starting
    starts.delete(starting)
    if (!started.ok) return started
    const { terminal } = started.value
    own.shell = started.value
    own.isUnconfined = place.isUnconfined === true
    terminal.onData(() => keeper.soon(own.key.toolCallId, () => keptState(own)))
    const snapshot: RunningTerminal['snapshot'] = async (part) => {
      const now = await terminal.snapshot(part)
      return part === 'screen' ? now : { ...now, data: withEarlier(own.earlier, now.data) }
    }
    terminals.offer(own.key, { ...terminal, snapshot, end: () => void started.value.end() })
    return started
  }
  /** Starts the shell of a restored terminal. After a failure, showing the terminal again repeats the attempt. */
  const revive = async (own: Own): Promise<Trouble | null> => {
    const place = (await openPlace?.(own.key.sessionId, own.isInLayer)) ?? failed(NO_PLACE)
    const started = place.ok ? await start(own, place.value) : place
    if (started.ok) return null
    own.starting = null
    return started.failure
  }

  return {
    ...terminals,
    has: ({ toolCallId }) => owns.has(toolCallId),
    onStatus: changed.event,
    status: () => statusOf([...owns.values()], terminals),
    working: () => [...owns.values()].flatMap(({ key, shell }) => (shell && !shell.terminal.isIdle?.() ? [key.sessionId] : [])),
    async open(sessionId, place, typed) {
      if (owns.size >= MAX_TERMINALS) {
        await place.close()
        return failed(TOO_MANY)
      }
      const own = newOwn(sessionId, place, [...owns.values()])
      const { toolCallId } = own.key
      owns.set(toolCallId, own)
      const starting = start(own, place)
      own.starting = starting.then((started) => (started.ok ? null : started.failure))
      const started = await starting
      if (!started.ok) {
        forget(own)
        return started
      }
      typeAtPrompt(started.value.terminal, typed)
      return ok(toolCallId)
    },
    async *attach(key, signal) {
      const own = owns.get(key.toolCallId)
      const trouble = own && own.shell === null ? await (own.starting ??= revive(own)) : null
      if (own && trouble) yield* notStarted(own.earlier, trouble)
      else yield* terminals.attach(key, signal)
    },
    rename({ toolCallId }, name) {
      const own = owns.get(toolCallId)
      if (!own || name.trim() === '') return
      own.name = name.trim()
      keeper.soon(toolCallId, () => keptState(own))
      changed.fire()
    },
    end({ toolCallId }) {
      const own = owns.get(toolCallId)
      if (!own) return false
      if (own.shell) void own.shell.end()
      else forget(own)
      return true
    },
    async close() {
      isClosing = true
      await Promise.all(starts)
      const shells = [...owns.values()].flatMap(({ shell }) => shell ?? [])
      await Promise.all([...owns.values()].map((own) => keeper.now(own.key.toolCallId, () => keptState(own))))
      await Promise.all(shells.map((shell) => shell.end()))
    },
  }
}

/** The terminals of the last run. Those of sessions that no longer exist are forgotten. */
function restored(kept: KeptTerminals | null, isSession: (sessionId: SessionId) => boolean): readonly Own[] {
  return (kept?.take() ?? []).flatMap(({ sessionId, toolCallId, name, isInLayer, screen }) => {
    if (isSession(sessionId)) return [{ key: { sessionId, toolCallId }, name, isInLayer, earlier: screen, ...NOT_STARTED }]
    kept?.drop(toolCallId)
    return []
  })
}

const newOwn = (sessionId: SessionId, { isLayer = false }: TerminalPlace, others: readonly Own[]): Own => ({
  key: { sessionId, toolCallId: ToolCallId.parse(newId('own')) },
  name: freeName(others),
  isInLayer: isLayer,
  earlier: '',
  ...NOT_STARTED,
})

const NOT_STARTED = { isUnconfined: false, shell: null, starting: null } as const

async function keptState({ key, name, isInLayer, earlier, shell }: Own): Promise<KeptTerminal> {
  const screen = shell === null ? earlier : withEarlier(earlier, (await shell.terminal.snapshot('screen and scrollback')).data)
  return { ...key, name, isInLayer, screen }
}

function freeName(owns: readonly Own[]): string {
  const numbers = owns.map(({ name }) => Number(/^Terminal (\d+)$/u.exec(name)?.[1] ?? 0))
  return `Terminal ${Math.max(0, ...numbers) + 1}`
}

function statusOf(owns: readonly Own[], terminals: Pick<Terminals, 'status'>): readonly OwnTerminal[] {
  const running = new Map(terminals.status().map((status) => [status.toolCallId, status]))
  return owns.flatMap(({ key, name, isInLayer, isUnconfined, shell }) => {
    const status = running.get(key.toolCallId)
    const facts = { name, isInLayer, isUnconfined }
    if (status) return [{ ...status, ...facts }]
    return shell === null ? [{ ...key, ...NOT_RUNNING, ...facts }] : []
  })
}

const NOT_RUNNING = { runs: false, waitsForInput: false, canEnd: true, exitCode: null, endedAt: null } as const

const NO_PLACE = notOpened('Its folder is no longer open.')

const TOO_MANY: Trouble = {
  code: 'too_many_terminals',
  what: `You already have ${MAX_TERMINALS} terminals open.`,
  kept: 'All of them are still open.',
  todo: 'Close some of them, then open a new one.',
}
