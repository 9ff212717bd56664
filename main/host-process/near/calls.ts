import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { Channel } from '../wire/channel.ts'
import { ProtocolError } from '../wire/frames.ts'
import { collectBytes } from './collect-bytes.ts'
import type { CommandEvent, ProgramEvent, ToFar, ToNear } from '../wire/messages.ts'
import { type ArgsOf, type Method, METHODS, type Sendable, type ValueOf } from '../wire/methods.ts'

export interface CallOptions {
  /** The layer to which the call goes, by the id of the call that opened it. Default: the folder. */
  readonly on?: number
  /** Raw bytes for the far side. */
  readonly bytes?: readonly Uint8Array[]
  readonly signal?: AbortSignal | undefined
  /** Whether the call changes nothing, although its method could. */
  readonly onlyReads?: boolean
  /** Whether an aborted call still gets an answer. Otherwise it rejects at once with the signal's reason. */
  readonly answersAbort?: boolean
  /** Gets the raw bytes of the answer. If left out, an answer with bytes ends the connection. */
  readonly onPiece?: (bytes: Buffer) => void
  /** Gets the content of each file in the answer. If left out, contents end the connection. */
  readonly onContent?: (bytes: Uint8Array) => void
  /** Gets what happens while the call is open. If left out, events end the connection. */
  readonly onEvent?: (event: CommandEvent, bytes: Buffer) => void
  /** The same for an opened program. */
  readonly onProgram?: (event: ProgramEvent, bytes: Buffer) => void
  /** Called with the id of the call before it is sent. */
  readonly onId?: (id: number) => void
}

/** The content of a file while it arrives. */
interface Content extends ReturnType<typeof collectBytes> {
  /** Number of bytes that have not arrived yet. */
  missing: number
}

interface OpenCall {
  readonly method: Method
  readonly options: CallOptions
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  isAbandoned: boolean
  content: Content | null
}

type Answer = Extract<ToNear, { kind: 'done' | 'failed' | 'piece' | 'content' | 'event' | 'program' }>

/** The calls that change neither files nor what runs. */
const READS: ReadonlySet<Method> = new Set<Method>([
  ...(['readFile', 'fileExists', 'listDirectory', 'grep', 'glob', 'readBytes', 'stat', 'lstat', 'realpath', 'readlink', 'look'] as const),
  ...(['initialize', 'prepareComparison', 'beginComparison', 'dropComparison', 'endComparison', 'copySupport', 'copyBytes'] as const),
  ...(['keepCopy', 'gitChange', 'ignoredParts', 'keepsPath', 'missingLayers', 'whyClones', 'layerChanges', 'layerContents'] as const),
  ...(['entriesOf', 'entriesIn', 'dropCopy', 'releaseKept', 'listeningPorts'] as const),
])

/** The calls that wait for an answer of the far side. */
export interface Calls {
  call<M extends Method>(method: M, args: Sendable<ArgsOf<M>>, options?: CallOptions): Promise<ValueOf<M>>
  /** Throws a `ProtocolError` if the message does not fit an open call. */
  take(message: Answer, bytes: Buffer): void
  /** The number of calls that may change something and have begun or ended. */
  changes(): number
  /** Sends the call at once, and lets every later call that may change something begin after it on the far side. */
  first<M extends Method>(method: M, args: Sendable<ArgsOf<M>>, options?: CallOptions): Promise<ValueOf<M>>
  /** Rejects all open calls and all later ones. */
  lose(failure: EnvironmentFailure): void
}

export function createCalls(channel: Channel<ToFar>): Calls {
  const open = new Map<number, OpenCall>()
  let nextId = 1
  let lost: EnvironmentFailure | null = null
  let changes = 0
  /** The open calls of `first`. */
  const beforeAll = new Set<number>()

  const begin = async (id: number, method: Method, args: object, { bytes = [], signal, on = 0 }: CallOptions): Promise<void> => {
    const after = READS.has(method) || beforeAll.size === 0 ? {} : { after: [...beforeAll] }
    for (const part of bytes) await channel.sendAll({ kind: 'piece', id }, part)
    channel.send({ kind: 'call', id, on, method, args, isAborted: signal?.aborted === true, ...after })
  }
  const calls: Calls = {
    changes: () => changes,
    async first(method, args, options = {}) {
      let id = 0
      const onId = (own: number): void => {
        id = own
        beforeAll.add(own)
        options.onId?.(own)
      }
      try {
        return await calls.call(method, args, { ...options, onId })
      } finally {
        beforeAll.delete(id)
      }
    },
    async call<M extends Method>(method: M, args: Sendable<ArgsOf<M>>, options: CallOptions = {}): Promise<ValueOf<M>> {
      const { signal, answersAbort = false } = options
      const isChange = !READS.has(method) && options.onlyReads !== true
      if (lost) throw lost
      if (!answersAbort) signal?.throwIfAborted()
      const id = nextId++
      options.onId?.(id)
      const { promise, resolve, reject } = Promise.withResolvers<ValueOf<M>>()
      const call: OpenCall = { method, options, resolve, reject, isAbandoned: false, content: null }
      open.set(id, call)
      const onAbort = (): void => {
        channel.send({ kind: 'abort', id })
        if (answersAbort) return
        call.isAbandoned = true
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      if (isChange) changes += 1
      begin(id, method, args, options).catch((error: unknown) => {
        open.delete(id)
        reject(error)
      })
      try {
        return await promise
      } finally {
        signal?.removeEventListener('abort', onAbort)
        if (isChange) changes += 1
      }
    },
    take(message, bytes) {
      const call = open.get(message.id)
      if (!call) throw new ProtocolError('An answer came to a call that is not open.')
      takeAnswer(call, message, bytes)
      if (message.kind === 'done' || message.kind === 'failed') open.delete(message.id)
    },
    lose(failure) {
      lost ??= failure
      for (const { reject } of open.values()) reject(lost)
      open.clear()
    },
  }
  return calls
}

/** Maximum number of bytes of one content. Larger files are neither shown nor stored. */
const MAX_CONTENT = 512 * 1024 ** 2

function takeContent(call: OpenCall, bytes: Buffer): void {
  const { content, options } = call
  if (!content) return
  content.take(bytes)
  content.missing -= bytes.length
  if (content.missing > 0) return
  call.content = null
  options.onContent?.(content.all())
}

function beginContent(call: OpenCall, length: number): void {
  if (!call.options.onContent || call.content) throw new ProtocolError(`A call of ${call.method} was answered with an unexpected content.`)
  if (length > MAX_CONTENT) throw new ProtocolError(`A content has ${length} bytes, but the maximum is ${MAX_CONTENT}.`)
  call.content = { ...collectBytes(length), missing: length }
  if (length === 0) takeContent(call, Buffer.alloc(0))
}

function takeAnswer(call: OpenCall, message: Answer, bytes: Buffer): void {
  const { method, options, resolve, reject, isAbandoned } = call
  switch (message.kind) {
    case 'content':
      return beginContent(call, message.bytes)
    case 'done': {
      if (call.content) throw new ProtocolError(`A content in the answer to a call of ${method} was not complete.`)
      const parsed = METHODS[method].value.safeParse(message.value)
      if (!parsed.success) throw new ProtocolError(`The answer to a call of ${method} was not valid.`)
      return resolve(parsed.data as never)
    }
    case 'failed':
      return reject(message.code === null ? new Error(message.message) : new EnvironmentFailure(message.code, message.message))
    case 'piece':
      if (call.content) return takeContent(call, bytes)
      if (!options.onPiece) throw new ProtocolError(`A call of ${method} was answered with bytes.`)
      return isAbandoned ? undefined : options.onPiece(bytes)
    case 'event':
      if (!options.onEvent) throw new ProtocolError(`A call of ${method} was answered with an event.`)
      return options.onEvent(message.event, bytes)
    case 'program':
      if (!options.onProgram) throw new ProtocolError(`A call of ${method} was answered with an event of a program.`)
      return options.onProgram(message.event, bytes)
  }
}
