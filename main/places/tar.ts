/** A file of an archive. `path`: relative, at most 100 bytes. */
export interface TarFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly isProgram: boolean
}

const BLOCK = 512

/** Writes files as a tar archive (ustar). It has no entries for folders: `tar` creates them when it unpacks the files. */
export function* tarOf(files: Iterable<TarFile>): Iterable<Uint8Array> {
  for (const { path, bytes, isProgram } of files) {
    yield headOf(path, bytes.length, isProgram)
    yield bytes
    yield new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK)
  }
  yield new Uint8Array(2 * BLOCK)
}

function headOf(path: string, size: number, isProgram: boolean): Uint8Array {
  const head = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(path) > 100) throw new RangeError(`The path is too long for an archive: ${path}`)
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`
  head.write(path, 0)
  head.write(octal(isProgram ? 0o700 : 0o600, 8), 100)
  head.write(octal(0, 8), 108)
  head.write(octal(0, 8), 116)
  head.write(octal(size, 12), 124)
  head.write(octal(0, 12), 136)
  // The checksum counts its own field as spaces.
  head.write(' '.repeat(8), 148)
  head.write('0', 156)
  head.write('ustar\0', 257)
  head.write('00', 263)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return head
}
