import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readlink, realpath, stat, statfs } from 'node:fs/promises'
import { EnvironmentFailure } from '../environment-failure.ts'

/** The default limit for a read, in bytes. Even a request for a 5 GB file must be answered within 200 MB of memory. */
const DEFAULT_MAX_BYTES = 100 * 1024 * 1024
/** Number of bytes per read. An abort is noticed between two reads. */
const PIECE = 8 * 1024 * 1024
/** Size of the pieces that `take` gets. They are read into the same memory, because new memory costs more time than the reading. */
const BLOCK = 1024 * 1024
/**
 * With these flags, opening never waits for the writer of a pipe that replaced the file, and a terminal never becomes the controlling
 * terminal.
 */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)
/** The `statfs` types of /proc and /sys, whose files have no size and may block. */
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([0x9fa0, 0x62656572])

export interface ReadLimits {
  readonly maxBytes?: number
  readonly signal?: AbortSignal
  /** If true, reading fails if the last component of the path is a link. */
  readonly noFollow?: boolean
  /** Whether `path` was a real path when it was checked. If it leads elsewhere now, nothing is read. */
  readonly real?: boolean
  /**
   * Gets the bytes of a file that is larger than `BLOCK` in pieces, each valid until the promise that it may return resolves. The result is
   * then empty.
   */
  readonly take?: (piece: Uint8Array) => void | Promise<void>
}

/**
 * The bytes of a regular file. Rejects with `EISDIR`, `EINVAL` (pipe, device, socket, kernel file), `EFBIG` above `maxBytes`, or `ECHANGED`
 * if a real path leads elsewhere.
 */
export async function readRegularFile(path: string, limits: ReadLimits = {}): Promise<Uint8Array> {
  const { handle, size } = await openRegular(path, limits)
  try {
    if (!limits.take || size <= BLOCK) return await readWhole(handle, size, path, limits)
    await passOn(handle, size, path, { ...limits, take: limits.take })
    return new Uint8Array(0)
  } finally {
    await handle.close()
  }
}

/**
 * The bytes of a regular file of any size, in pieces of at most `most` bytes. Bytes that are added while the file is read are left out.
 * Rejects like `readRegularFile`.
 */
export async function* piecesOfRegularFile(path: string, most: number, limits: Omit<ReadLimits, 'maxBytes'>): AsyncIterable<Uint8Array> {
  const { handle, size } = await openRegular(path, limits)
  try {
    for (let left = size; left > 0;) {
      limits.signal?.throwIfAborted()
      const { bytesRead, buffer } = await handle.read(new Uint8Array(Math.min(most, left)))
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      left -= bytesRead
    }
  } finally {
    await handle.close()
  }
}

async function openRegular(path: string, limits: ReadLimits): Promise<{ readonly handle: FileHandle; readonly size: number }> {
  limits.signal?.throwIfAborted()
  mustBeRegular(await stat(path), path)
  const handle = await open(path, OPEN_FLAGS | (limits.noFollow ? (constants.O_NOFOLLOW ?? 0) : 0))
  try {
    const opened = await handle.stat()
    mustBeRegular(opened, path)
    if (limits.real) await mustBeAt(path, handle)
    if (opened.size === 0) await mustNotBeKernelFile(path)
    return { handle, size: opened.size }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function mustBeRegular(found: Stats, path: string): void {
  if (found.isFile()) return
  if (found.isDirectory()) throw new EnvironmentFailure('EISDIR', `${path} is a folder, not a file (EISDIR).`)
  const what = found.isFIFO() ? 'a named pipe' : found.isSocket() ? 'a socket' : 'a device'
  throw new EnvironmentFailure('EINVAL', `${path} is ${what}, not a regular file (EINVAL).`)
}

/**
 * Throws if the open file is not at `path`. Without this check, a command that replaces a folder with a link just before the file is opened
 * could choose which file is read.
 */
async function mustBeAt(path: string, { fd }: FileHandle): Promise<void> {
  const seen = process.platform === 'linux' ? await readlink(`/proc/self/fd/${fd}`).catch(() => null) : null
  // The kernel appends ` (deleted)` to the path of a file that another file has replaced since it was opened.
  const at = seen?.replace(/ \(deleted\)$/u, '') ?? (await realpath(path))
  if (at !== path && seen !== path) throw new EnvironmentFailure('ECHANGED', `${path} leads to a different place now (ECHANGED).`)
}

async function mustNotBeKernelFile(path: string): Promise<void> {
  if (process.platform !== 'linux') return
  const { type } = await statfs(path)
  if (KERNEL_FILE_SYSTEMS.has(type)) {
    throw new EnvironmentFailure('EINVAL', `${path} is a file of the kernel, not a regular file (EINVAL). A command can read it.`)
  }
}

async function readWhole(handle: FileHandle, size: number, path: string, limits: ReadLimits): Promise<Uint8Array> {
  const maxBytes = limits.maxBytes ?? DEFAULT_MAX_BYTES
  if (size > maxBytes) throw tooLarge(path, size, maxBytes)
  // One byte more than expected, so that the end of the file is noticed without a second buffer.
  let bytes = new Uint8Array(size + 1)
  let filled = 0
  for (;;) {
    limits.signal?.throwIfAborted()
    if (filled === bytes.length) bytes = grown(bytes)
    const { bytesRead } = await handle.read(bytes, filled, Math.min(PIECE, bytes.length - filled), null)
    if (bytesRead === 0) return bytes.subarray(0, filled)
    filled += bytesRead
    if (filled > maxBytes) throw tooLarge(path, filled, maxBytes)
  }
}

async function passOn(
  handle: FileHandle,
  size: number,
  path: string,
  limits: ReadLimits & Required<Pick<ReadLimits, 'take'>>,
): Promise<void> {
  const maxBytes = limits.maxBytes ?? DEFAULT_MAX_BYTES
  if (size > maxBytes) throw tooLarge(path, size, maxBytes)
  const block = new Uint8Array(BLOCK)
  for (let passed = 0; ;) {
    limits.signal?.throwIfAborted()
    const { bytesRead } = await handle.read(block, 0, BLOCK, null)
    if (bytesRead === 0) return
    passed += bytesRead
    if (passed > maxBytes) throw tooLarge(path, passed, maxBytes)
    await limits.take(block.subarray(0, bytesRead))
  }
}

/** Returns a larger buffer, because the file grew while it was read. */
function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2 + 1024)
  larger.set(bytes)
  return larger
}

function tooLarge(path: string, size: number, maxBytes: number): EnvironmentFailure {
  return new EnvironmentFailure(
    'EFBIG',
    `${path} is too large: it has at least ${size} bytes, but at most ${maxBytes} can be read at once (EFBIG).`,
  )
}

/** The target of a link. Rejects with `EILSEQ` if it is not UTF-8: a link made from the decoded text would lead elsewhere. */
export async function targetOfLink(path: string): Promise<string> {
  const bytes = await readlink(path, 'buffer')
  const target = bytes.toString()
  if (Buffer.from(target).equals(bytes)) return target
  throw new EnvironmentFailure('EILSEQ', `${path} is a link whose target is not valid UTF-8 (EILSEQ).`)
}
