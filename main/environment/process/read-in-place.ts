import { Socket } from 'node:net'

/** One block for all streams, because every piece is used before the next one is read. The kernel buffers no more than this. */
const block = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * Reads a stream of a child process. By default, Node allocates a block of memory per piece, which costs ten times as much as the reading
 * itself: 250 ms of processor time instead of 25 ms for 50 MB (measured). Here all pieces are read into the same block, so the bytes that
 * `onBytes` gets are valid only during the call. Returns the stream to pause, resume and destroy instead of the given one.
 *
 * A child's streams offer no option for this, so Node's private handle field (24.21) is used. If it is missing, the pieces are read as
 * usual.
 */
export function readInPlace(stream: Socket, onBytes: (bytes: Buffer) => void): Socket {
  const handle: unknown = Reflect.get(stream, '_handle')
  if (typeof handle !== 'object' || handle === null) return stream.on('data', onBytes)
  const callback = (length: number): boolean => {
    onBytes(block.subarray(0, length))
    return true
  }
  const options = { handle: handle as never, readable: true, writable: false, onread: { buffer: block, callback } }
  const reader = new Socket(options)
  // Without a handle, the given stream does not read when the child ends.
  Reflect.set(stream, '_handle', null)
  return reader.resume()
}
