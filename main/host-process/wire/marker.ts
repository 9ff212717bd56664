import { ProtocolError } from './frames.ts'

/**
 * The line after which the far side's frames begin. Before it, a login shell or its start files may print anything. The name of the line
 * stays the same in all versions.
 */
export const MARKER = '\ncountersign-host-process\n'
/** Maximum number of bytes before the marker. */
const MAX_NOISE = 256 * 1024

/** Drops everything up to and including the marker, and passes on everything after it. Throws a `ProtocolError` if it does not come. */
export function behindMarker(onBytes: (bytes: Buffer) => void): (chunk: Buffer) => void {
  let noise: Buffer | null = Buffer.alloc(0)
  return (chunk) => {
    if (noise === null) return onBytes(chunk)
    noise = Buffer.concat([noise, chunk])
    const at = noise.indexOf(MARKER)
    if (at >= 0) {
      const rest = noise.subarray(at + MARKER.length)
      noise = null
      if (rest.length > 0) onBytes(rest)
      return
    }
    if (noise.length > MAX_NOISE) throw new ProtocolError(`It printed ${noise.length} bytes, but no host process has answered.`)
  }
}
