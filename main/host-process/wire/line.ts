import { Readable, Writable } from 'node:stream'
import { Emitter } from '../../../shared/lib/emitter.ts'
import { ProtocolError } from './frames.ts'
import { type KeptBytes, keepBytes } from './kept-bytes.ts'
import { MAX_PIECE, pieceOf, type PieceKind, readPieces } from './line-pieces.ts'
import { type SilenceWatch, watchSilence } from './silence.ts'

/** The connection that carries a line: the pipes of a program, or a socket. */
export interface Carrier {
  readonly input: Readable
  readonly output: Writable
  /** Ends it at once. Its `close` events follow. */
  destroy(): void
}

/** Maximum number of unconfirmed bytes that are kept. Further writes wait. */
const MAX_KEPT = 8 * 1024 ** 2
/** Received bytes are confirmed after this many bytes, and with each ping. */
const TELL_BYTES = 256 * 1024

/**
 * Two streams that outlive the connection that carries them. Each side keeps the bytes that the other has not confirmed, and sends them again
 * over the next carrier, so that no byte is lost or arrives twice.
 */
export interface Line {
  readonly input: Readable
  readonly output: Writable
  /**
   * Uses this carrier from now on. Destroys an earlier one. It is lost if the other side does not greet within `greetingMs` (default: the
   * line's `silenceMs`), which includes the time that the other side needs to start.
   */
  attach(carrier: Carrier, greetingMs?: number): void
  /** Whether both sides use the carrier. */
  isAttached(): boolean
  readonly onAttached: Emitter<void>['event']
  /** Fired when the carrier is lost: it was closed, was silent, or broke the protocol. */
  readonly onDetached: Emitter<string>['event']
  /** Resolves with the reason after `destroy`, or when the other side says that the line is gone. */
  readonly ended: Promise<string>
  /** Ends both streams. Nothing is sent any more. */
  destroy(why: string): void
}

/**
 * `silenceMs`: after the greeting, a carrier is lost if nothing comes over it for this long. Both sides send a sign of life four times as
 * often.
 */
export function createLine(silenceMs: number): Line {
  const attached = new Emitter<void>()
  const detached = new Emitter<string>()
  const ended = Promise.withResolvers<string>()
  let carrier: Carrier | null = null
  let isLive = false
  let silence: SilenceWatch | null = null
  const kept = keepBytes()
  let received = 0
  let told = 0
  let hasEnded = false

  const put = (kind: PieceKind, bytes: Uint8Array = NO_BYTES): void => {
    if (carrier?.output.writable) carrier.output.write(pieceOf(kind, bytes))
  }
  const tell = (kind: 'hello' | 'received'): void => {
    told = received
    put(kind, Buffer.from(String(received)))
  }
  const input = new Readable({ read: () => carrier?.input.resume() })
  const { output, confirm, release } = keepingStream(kept, {
    send: (piece) => isLive && put('data', piece),
    // The other side may confirm bytes that it has not read.
    isBehind: () => (carrier?.output.writableLength ?? 0) > MAX_KEPT,
    end() {
      hasEnded = true
      if (isLive) put('end')
    },
  })
  const take = (kind: PieceKind, bytes: Buffer): void => {
    silence?.heard()
    switch (kind) {
      case 'hello':
        if (isLive) throw new ProtocolError('A second greeting came over one connection.')
        confirm(bytes)
        isLive = true
        watch(silenceMs, () => (told === received ? put('ping') : tell('received')))
        for (const piece of kept.pieces()) put('data', piece)
        if (hasEnded) put('end')
        return attached.fire()
      case 'data':
        received += bytes.length
        if (received - told > TELL_BYTES) tell('received')
        if (!input.push(bytes)) carrier?.input.pause()
        return
      case 'received':
        return confirm(bytes)
      case 'ping':
        return
      case 'end':
        return void input.push(null)
      case 'gone':
        return destroy('What ran there has ended.')
    }
  }
  const drop = (): void => {
    const last = carrier
    carrier = null
    isLive = false
    silence?.dispose()
    last?.destroy()
  }
  const lose = (lost: Carrier, why: string): void => {
    if (carrier !== lost) return
    drop()
    detached.fire(why)
  }
  const watch = (ms: number, onCheck?: () => void): void => {
    silence?.dispose()
    silence = watchSilence(ms, () => carrier && lose(carrier, `Nothing was heard for ${ms / 1000} s.`), onCheck)
  }
  const destroy = (why: string): void => {
    drop()
    kept.clear()
    if (!input.destroyed) input.push(null)
    output.destroy()
    ended.resolve(why)
  }
  return {
    input,
    output,
    attach(next, greetingMs = silenceMs) {
      drop()
      carrier = next
      next.output.on('drain', release)
      watch(greetingMs)
      follow(
        next,
        (kind, bytes) => carrier === next && take(kind, bytes),
        (why) => lose(next, why),
      )
      tell('hello')
    },
    isAttached: () => isLive,
    onAttached: attached.event,
    onDetached: detached.event,
    ended: ended.promise,
    destroy,
  }
}

/** The carrier, as the output stream uses it. `isBehind`: whether too many bytes wait in it. */
interface Sending {
  send(piece: Buffer): void
  isBehind(): boolean
  end(): void
}

/** A stream that keeps its bytes until `confirm`. `release` lets a waiting write go on, unless too many bytes are still kept or wait. */
function keepingStream(
  kept: KeptBytes,
  { send, isBehind, end }: Sending,
): { readonly output: Writable; readonly confirm: (bytes: Buffer) => void; readonly release: () => void } {
  let waiting: (() => void) | null = null
  const release = (): void => {
    if (kept.size > MAX_KEPT / 2 || isBehind()) return
    const go = waiting
    waiting = null
    go?.()
  }
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      for (let from = 0; from < chunk.length; from += MAX_PIECE) {
        const piece = chunk.subarray(from, from + MAX_PIECE)
        kept.add(piece)
        send(piece)
      }
      if (kept.size < MAX_KEPT && !isBehind()) done()
      else waiting = done
    },
    final(done) {
      end()
      done()
    },
  })
  return {
    output,
    confirm(bytes) {
      kept.confirm(Number(bytes.toString('latin1')))
      release()
    },
    release,
  }
}

/** Reads the pieces of a carrier. `onLost`: called if the carrier was closed, or if a piece is not valid. */
function follow(carrier: Carrier, onPiece: (kind: PieceKind, bytes: Buffer) => void, onLost: (why: string) => void): void {
  const read = readPieces(onPiece)
  carrier.input.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      onLost(error.message)
    }
  })
  for (const stream of [carrier.input, carrier.output]) {
    stream.on('error', () => onLost('The connection broke.'))
    stream.on('close', () => onLost('The connection was closed.'))
  }
}

const NO_BYTES = Buffer.alloc(0)

/** Tells the other side of a carrier that the line is gone. */
export function sayGone(output: Writable): void {
  output.write(pieceOf('gone', NO_BYTES))
}
