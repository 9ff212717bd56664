import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'

/** More than a kernel buffers of an ended program's output (bytes); anything beyond that is from another process. */
const MOST_HELD = 1024 * 1024
/** Turns of the event loop without a byte; the first may have begun before reading resumed. */
const QUIET_TURNS = 2

/**
 * Resolves when all available data of the streams was delivered: whole turns of the event loop brought nothing more. Does not depend on
 * time, so a process that was busy loses nothing. The streams must be flowing.
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
