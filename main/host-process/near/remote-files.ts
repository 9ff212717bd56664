import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import type { Calls } from './calls.ts'
import { collectBytes } from './collect-bytes.ts'

/** Maximum number of bytes of an answer for which the caller has set no limit. The far side reads at most 100 MB at once. */
const DEFAULT_MAX_BYTES = 256 * 1024 ** 2

type Files = Pick<
  ExecutionEnvironment,
  | 'readFile'
  | 'writeFile'
  | 'deleteFile'
  | 'fileExists'
  | 'listDirectory'
  | 'grep'
  | 'glob'
  | 'readBytes'
  | 'writeBytes'
  | 'stat'
  | 'lstat'
  | 'realpath'
  | 'readlink'
  | 'symlink'
  | 'rename'
  | 'setMode'
  | 'createFolder'
  | 'removeFolder'
>

/** Files and searches of the far side. */
export function remoteFiles({ call }: Pick<Calls, 'call'>): Files {
  return {
    readFile: (path, offset, limit) => call('readFile', { path, offset, limit }),
    async writeFile(path, content) {
      await call('writeBytes', { path, options: {} }, { bytes: [Buffer.from(content, 'utf8')] })
    },
    async deleteFile(path) {
      await call('deleteFile', { path })
    },
    fileExists: (path) => call('fileExists', { path }),
    listDirectory: (path, depth, options) => call('listDirectory', { path, depth, options: { unignored: options?.unignored } }),
    grep: (pattern, path, { signal, ...options } = {}) => call('grep', { pattern, path, options: options }, { signal }),
    glob: (pattern, path, { signal, ...options } = {}) => call('glob', { pattern, path, options: options }, { signal }),
    async readBytes(path, { signal, take, maxBytes, real } = {}) {
      const collected = collectBytes(maxBytes ?? DEFAULT_MAX_BYTES)
      // A promise of `take` is not awaited: each piece has memory of its own.
      const onPiece = take ? (piece: Buffer): void => void take(piece) : collected.take
      await call('readBytes', { path, options: { maxBytes, real } }, { signal, onPiece })
      return collected.all()
    },
    async writeBytes(path, bytes, { expected, mode, real } = {}) {
      const length = expected === undefined || expected === null ? expected : expected.length
      await call('writeBytes', { path, expected: length, options: { mode, real } }, { bytes: expected ? [expected, bytes] : [bytes] })
    },
    stat: (path) => call('stat', { path }),
    lstat: (path) => call('lstat', { path }),
    realpath: (path) => call('realpath', { path }),
    readlink: (path) => call('readlink', { path }),
    async symlink(target, path) {
      await call('symlink', { target, path })
    },
    async rename(from, to) {
      await call('rename', { from, to })
    },
    async setMode(path, mode) {
      await call('setMode', { path, mode })
    },
    async createFolder(path, mode) {
      await call('createFolder', { path, mode })
    },
    async removeFolder(path) {
      await call('removeFolder', { path })
    },
  }
}
