import { EnvironmentFailure } from '../../environment/environment-failure.ts'

/** The head of a frame: the length of its JSON and of its raw bytes, each 32 bits, most significant byte first. */
const HEAD = 8
/** Maximum size of a frame's JSON in bytes. The largest message is a long list of search results or of files. */
const MAX_JSON = 16 * 1024 ** 2
/** Maximum number of raw bytes of a frame. More bytes are sent in several frames. */
export const MAX_BYTES = 1024 ** 2

/** The other side broke the protocol. The message says how. */
export class ProtocolError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProtocolError'
  }
}

/** JSON has no other numbers than finite ones. `amount` in `schemas.ts` reads them back. */
const withAllNumbers = (_name: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? { $number: String(value) } : value

/**
 * One frame: head, JSON, raw bytes. The bytes are copied.
 *
 * @throws EnvironmentFailure `E2BIG` if the message exceeds a limit.
 */
export function frameOf(message: object, bytes: Uint8Array = NO_BYTES): Buffer {
  const json = JSON.stringify(message, withAllNumbers)
  const length = Buffer.byteLength(json)
  if (length > MAX_JSON || bytes.length > MAX_BYTES) {
    throw new EnvironmentFailure(
      'E2BIG',
      `This is too large for one message to or from a host process: ${length} bytes, at most ${MAX_JSON} (E2BIG).`,
    )
  }
  const frame = Buffer.allocUnsafe(HEAD + length + bytes.length)
  frame.writeUInt32BE(length, 0)
  frame.writeUInt32BE(bytes.length, 4)
  frame.write(json, HEAD)
  frame.set(bytes, HEAD + length)
  return frame
}

const NO_BYTES = new Uint8Array(0)

/**
 * Cuts a stream of bytes into frames, however it is split. Each byte is copied at most once. `onFrame` gets views of memory that is not used
 * again. `take` throws a `ProtocolError` for a frame that announces more than the limits, before any memory is reserved for it.
 */
export class FrameReader {
  readonly #onFrame: (json: Buffer, bytes: Buffer) => void
  readonly #head = Buffer.alloc(HEAD)
  #headFilled = 0
  /** The frame that is being collected, without its head. */
  #body: Buffer | null = null
  #filled = 0
  #jsonLength = 0

  constructor(onFrame: (json: Buffer, bytes: Buffer) => void) {
    this.#onFrame = onFrame
  }

  take(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0;) rest = this.#body ? this.#continueBody(this.#body, rest) : this.#begin(rest)
  }

  /** Returns the bytes that are not used yet. */
  #begin(chunk: Buffer): Buffer {
    const copied = chunk.copy(this.#head, this.#headFilled)
    this.#headFilled += copied
    if (this.#headFilled < HEAD) return chunk.subarray(copied)
    this.#headFilled = 0
    const rest = chunk.subarray(copied)
    const json = this.#head.readUInt32BE(0)
    const bytes = this.#head.readUInt32BE(4)
    mustBeWithinLimits(json, bytes)
    const length = json + bytes
    if (rest.length >= length) {
      this.#onFrame(rest.subarray(0, json), rest.subarray(json, length))
      return rest.subarray(length)
    }
    this.#jsonLength = json
    this.#body = Buffer.allocUnsafe(length)
    this.#filled = 0
    return rest
  }

  #continueBody(body: Buffer, chunk: Buffer): Buffer {
    const copied = chunk.copy(body, this.#filled)
    this.#filled += copied
    if (this.#filled === body.length) {
      this.#body = null
      this.#onFrame(body.subarray(0, this.#jsonLength), body.subarray(this.#jsonLength))
    }
    return chunk.subarray(copied)
  }
}

function mustBeWithinLimits(json: number, bytes: number): void {
  if (json > 0 && json <= MAX_JSON && bytes <= MAX_BYTES) return
  throw new ProtocolError(
    `A message announced ${json} bytes of text and ${bytes} raw bytes. Allowed are 1 to ${MAX_JSON} and 0 to ${MAX_BYTES}.`,
  )
}
