import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'

/** What a kernel holds of an ended program's output, in bytes, and more; what still comes then is somebody else's. */
const MOST_HELD = 1024 * 1024
/** Turns of the event loop without a byte; the first may have begun before the stream was read on. */
const QUIET_TURNS = 2

/**
 * Resolves when all that lay ready in the streams was handed on: whole turns of the event loop brought nothing more. Time plays no part, so
 * a process that was held up loses nothing. They must flow.
 */
export async function untilQuiet(streams: readonly Readable[]): Promise<void> {
  let bytes = 0
  const onData = (chunk: Buffer): void => void (bytes += chunk.length)
  for (const stream of streams) stream.on('data', onData)
  for (let quiet = 0; quiet < QUIET_TURNS && bytes < MOST_HELD;) {
    const before = bytes
    await turn()
    quiet = bytes === before ? quiet + 1 : 0
  }
  for (const stream of streams) stream.off('data', onData)
}
