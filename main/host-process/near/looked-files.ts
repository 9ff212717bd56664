import { currentLook, type Look } from '../../agent/one-look.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { ProtocolError } from '../wire/frames.ts'
import type { ValueOf } from '../wire/methods.ts'
import type { Calls } from './calls.ts'
import { collectBytes } from './collect-bytes.ts'

/** After this time in ms, a file is read again even in the same look, because it may have waited for a signature. */
const MAX_AGE_MS = 2_000
/** Maximum number of bytes of the contents in one answer. The far side sends at most 1 MB. */
const MAX_BYTES = 2 * 1024 ** 2

type Facts = ValueOf<'look'>[number]
type Members = 'realpath' | 'stat' | 'lstat' | 'readBytes' | 'writeBytes' | 'listDirectory' | 'initialize'
type Looked = Pick<ExecutionEnvironment, Members>

interface Known {
  readonly facts: Facts
  /** The content. Null if it was not read. */
  readonly bytes: Uint8Array | null
}

interface Entry {
  readonly known: Promise<Known | null>
  readonly at: number
  /** The number of changing calls that had begun or ended before. */
  readonly changes: number
}

interface Asked {
  readonly answer: (known: Known | null) => void
  isRead: boolean
}

interface Memory {
  readonly entries: Map<string, Entry>
  /** The paths that the next message asks for. Null if none is planned. */
  asked: Map<string, Asked> | null
  initialized: { readonly done: Promise<void>; readonly changes: number; readonly at: number } | null
}

/**
 * The files of the far side, as the current look sees them. All paths that are asked for at the same time cross in one message, and each
 * answer has all facts about the path. A call of ours that may change something makes the near side ask again. Without a look, every call
 * crosses.
 */
export function lookedFiles(files: Looked, { call, changes }: Pick<Calls, 'call' | 'changes'>): Looked {
  const memories = new WeakMap<Look, Memory>()
  const memoryOf = (look: Look): Memory => {
    const known = memories.get(look) ?? { entries: new Map(), asked: null, initialized: null }
    memories.set(look, known)
    return known
  }
  const isFresh = (entry: { readonly at: number; readonly changes: number } | null | undefined): boolean =>
    entry !== null && entry !== undefined && entry.changes === changes() && performance.now() - entry.at < MAX_AGE_MS
  const remember = (memory: Memory, path: string, known: Promise<Known | null>): void =>
    void memory.entries.set(path, { known, at: performance.now(), changes: changes() })
  const send = async (memory: Memory): Promise<void> => {
    const asked = memory.asked ?? new Map<string, Asked>()
    memory.asked = null
    const collected = collectBytes(MAX_BYTES)
    const at = { at: performance.now(), changes: changes() }
    try {
      const paths = [...asked.keys()]
      const read = paths.filter((path) => asked.get(path)?.isRead)
      const all = await call('look', { paths, read }, { onPiece: collected.take })
      for (const known of withBytes(all, collected.all())) {
        const own = asked.get(known.facts.path)
        if (own) own.answer(known)
        else if (!isFresh(memory.entries.get(known.facts.path)))
          memory.entries.set(known.facts.path, { known: Promise.resolve(known), ...at })
      }
    } finally {
      // The call itself then crosses, and says what is wrong.
      for (const { answer } of asked.values()) answer(null)
    }
  }
  /** `isRead`: whether its content will probably be read. */
  const look = (path: string, isRead: boolean): Promise<Known | null> => {
    const now = currentLook()
    if (now === null) return Promise.resolve(null)
    const memory = memoryOf(now)
    const entry = memory.entries.get(path)
    const planned = memory.asked?.get(path)
    if (planned && isRead) planned.isRead = now.readsAhead
    if (entry && isFresh(entry)) return entry.known
    const { promise, resolve } = Promise.withResolvers<Known | null>()
    remember(memory, path, promise)
    if (memory.asked === null) {
      memory.asked = new Map()
      // By then, everything that is asked for at the same time has come.
      setImmediate(() => void send(memory).catch(() => {}))
    }
    memory.asked.set(path, { answer: resolve, isRead: isRead && now.readsAhead })
    return promise
  }
  const fact =
    <K extends 'real' | 'stat' | 'lstat'>(name: K, ask: (path: string) => Promise<ValueIn<K>>) =>
    async (path: string): Promise<ValueIn<K>> => {
      const known = await look(path, name === 'real')
      return known ? valueOf<ValueIn<K>>(known.facts[name]) : ask(path)
    }
  return {
    realpath: fact('real', files.realpath),
    stat: fact('stat', files.stat),
    lstat: fact('lstat', files.lstat),
    async readBytes(path, options = {}) {
      const known = await look(path, true)
      options.signal?.throwIfAborted()
      const isWhole = known?.bytes && known.bytes.length <= (options.maxBytes ?? Infinity)
      if (!isWhole || (options.real && realOf(known) !== path)) return files.readBytes(path, options)
      return known.bytes.slice()
    },
    async writeBytes(path, bytes, options = {}) {
      const now = currentLook()
      if (now === null) return files.writeBytes(path, bytes, options)
      const { expected, mode, real } = options
      const length = expected === undefined || expected === null ? expected : expected.length
      const sent = expected ? [expected, bytes] : [bytes]
      const facts = await call('writeBytes', { path, expected: length, options: { mode, real }, looks: true }, { bytes: sent })
      if (facts) remember(memoryOf(now), path, Promise.resolve({ facts, bytes: bytes.slice() }))
    },
    async listDirectory(path, depth, options) {
      const known = depth === undefined && options === undefined ? await look(path, true) : null
      return known?.facts.entries ?? files.listDirectory(path, depth, options)
    },
    initialize() {
      const now = currentLook()
      if (now === null) return files.initialize()
      const memory = memoryOf(now)
      if (memory.initialized && isFresh(memory.initialized)) return memory.initialized.done
      const done = files.initialize()
      memory.initialized = { done, at: performance.now(), changes: changes() }
      return done
    },
  }
}

type Outcome<T> = { readonly is: T } | { readonly code: string | null; readonly message: string }
type ValueIn<K extends 'real' | 'stat' | 'lstat'> = Extract<Facts[K], { is: unknown }>['is']

function valueOf<T>(outcome: Outcome<T>): T {
  if ('is' in outcome) return outcome.is
  throw outcome.code === null ? new Error(outcome.message) : new EnvironmentFailure(outcome.code, outcome.message)
}

const realOf = ({ facts }: Known): string | null => ('is' in facts.real ? facts.real.is : null)

function withBytes(all: readonly Facts[], bytes: Uint8Array): readonly Known[] {
  let at = 0
  return all.map((facts) => {
    if (facts.bytes === null) return { facts, bytes: null }
    const own = bytes.subarray(at, (at += facts.bytes))
    if (own.length !== facts.bytes) throw new ProtocolError('The contents of files were not complete.')
    return { facts, bytes: own }
  })
}
