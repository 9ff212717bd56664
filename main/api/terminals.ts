import { isObject } from '../../shared/lib/json.ts'
import type { AppHandlers } from '../../shared/api/contract.ts'
import type { TerminalItem, TerminalStatus } from '../../shared/api/terminals.ts'
import { disposable, DisposableStore } from '../../shared/lib/disposable.ts'
import { BlobHash, type SessionId } from '../../shared/lib/ids.ts'
import { failed, type Result } from '../../shared/lib/result.ts'
import type { JsonValue } from '../../shared/session/content.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { unlessStorageFails, unlessStreamFails } from './storage-failures.ts'
import { blobTail } from '../store/blobs/blob-parts.ts'
import type { Store } from '../store/store.ts'
import { LOOK_BACK, outputTail } from '../terminals/output-tail.ts'
import type { TerminalPlace } from '../terminals/own-shell.ts'
import type { PersonTerminals } from '../terminals/person-terminals.ts'
import type { TerminalKey, Terminals } from '../terminals/terminals.ts'

/** Maximum number of bytes of an ended command's output that are sent: as many as a live terminal keeps. */
const SENT_BYTES = 256 * 1024
/** A stored terminal's size is unknown, but the agent's commands start with 120 × 30. */
const COLUMNS = 120
const ROWS = 30

export interface TerminalHandlerParts {
  readonly store: Store
  readonly terminals: Terminals
  readonly own: PersonTerminals
  /** Opens the layer in which a session works, or its folder, for a terminal of the user. */
  readonly openPlace: (sessionId: SessionId, isInLayer: boolean) => Promise<Result<TerminalPlace, Trouble>>
}

export function terminalsHandlers(parts: TerminalHandlerParts): AppHandlers['terminals'] {
  const { terminals, own, openPlace } = parts
  const of = (key: TerminalKey): Pick<Terminals, 'ack' | 'write' | 'resize' | 'end'> => (own.has(key) ? own : terminals)
  return {
    attach: (key, { signal }) => unlessStreamFails<TerminalItem>(attach(parts, key, signal), () => ({ kind: 'none' })),
    ack({ watcher, chars, ...key }) {
      of(key).ack(key, watcher, chars)
      return null
    },
    write: ({ data, ...key }) => ({ written: of(key).write(key, data) }),
    status: (_, { signal }) => watchStatus(terminals, signal),
    async openOwn({ sessionId, words, isInFolder }) {
      const opened = await unlessStorageFails(async () => {
        const place = await openPlace(sessionId, !isInFolder)
        return place.ok ? own.open(sessionId, place.value, words) : place
      }, failed)
      return opened.ok ? { ok: true, toolCallId: opened.value } : { ok: false, trouble: opened.failure }
    },
    own: (_, { signal }) => watchStatus(own, signal),
    rename({ name, ...key }) {
      own.rename(key, name)
      return null
    },
    end: (key) => ({ ended: of(key).end(key) }),
    resize({ columns, rows, ...key }) {
      of(key).resize(key, columns, rows)
      return null
    },
  }
}

async function* attach(parts: TerminalHandlerParts, key: TerminalKey, signal: AbortSignal): AsyncGenerator<TerminalItem> {
  if (parts.own.has(key)) {
    yield* parts.own.attach(key, signal)
    return
  }
  await parts.store.prepare(key.sessionId)
  await untilOffered(parts, key, signal)
  for await (const item of parts.terminals.attach(key, signal)) {
    if (item.kind === 'none') yield* stored(parts.store, key)
    else yield item
  }
}

/** Yields the status of the terminals at the start and after each change. Changes that come faster than they are consumed are merged. */
async function* watchStatus<T extends TerminalStatus>(
  terminals: { status(): readonly T[]; onStatus: Terminals['onStatus'] },
  signal: AbortSignal,
): AsyncGenerator<readonly T[]> {
  let change = Promise.withResolvers<void>()
  const own = new DisposableStore()
  own.add(terminals.onStatus(() => change.resolve()))
  const left = (): void => change.resolve()
  signal.addEventListener('abort', left)
  own.add(disposable(() => signal.removeEventListener('abort', left)))
  try {
    while (!signal.aborted) {
      change = Promise.withResolvers()
      yield terminals.status()
      await change.promise
    }
  } finally {
    own.dispose()
  }
}

/**
 * A running command offers its terminal some milliseconds after its start. Waits for the terminal, for the command's end, or for the
 * signal.
 */
async function untilOffered({ store, terminals }: TerminalHandlerParts, key: TerminalKey, signal: AbortSignal): Promise<void> {
  const { sessionId, toolCallId } = key
  const { promise, resolve } = Promise.withResolvers<void>()
  const own = new DisposableStore()
  own.add(terminals.onOffer((offered) => offered.sessionId === sessionId && offered.toolCallId === toolCallId && resolve()))
  own.add(
    store.subscribe(sessionId, (envelopes) => {
      if (envelopes.some(({ event }) => event.kind === 'TOOL_CALL_END' && event.toolCallId === toolCallId)) resolve()
    }),
  )
  const left = (): void => resolve()
  signal.addEventListener('abort', left)
  own.add(disposable(() => signal.removeEventListener('abort', left)))
  try {
    // The condition is checked after subscribing, so that a terminal that is offered in between is not missed.
    if (!terminals.has(key) && !signal.aborted && isOnItsWay(store, key)) await promise
  } finally {
    own.dispose()
  }
}

/**
 * Whether the command runs or is about to run in this process, so that its terminal may still be offered. Terminals of other processes are
 * never offered here.
 */
function isOnItsWay(store: Store, { sessionId, toolCallId }: TerminalKey): boolean {
  const status = store.ledger.call(sessionId, toolCallId)?.status
  return (status === 'running' || status === 'signed') && store.claims.holder(sessionId)?.here === true
}

/** For a command of an earlier run: yields the end of its stored output, or `none` if nothing is stored. */
function* stored(store: Store, key: TerminalKey): Iterable<TerminalItem> {
  const details = detailsOf(store, key)
  const hash = BlobHash.safeParse(details?.['rawBlob'])
  const bytes = hash.success ? blobTail(store.blobs, hash.data, SENT_BYTES + LOOK_BACK) : null
  if (!bytes) {
    yield { kind: 'none' }
    return
  }
  const data = outputTail(bytes, SENT_BYTES)
  const exitCode = details?.['exitCode']
  yield { kind: 'replay', columns: COLUMNS, rows: ROWS, data, watcher: 'stored' }
  yield { kind: 'exit', exitCode: typeof exitCode === 'number' ? exitCode : null }
}

function detailsOf(store: Store, { sessionId, toolCallId }: TerminalKey): { readonly [key: string]: JsonValue } | null {
  const details = store.ledger.call(sessionId, toolCallId)?.details
  return isObject(details) ? details : null
}
