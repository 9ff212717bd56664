import type { FileFailure } from '../agent/ports/execution-environment.ts'

/**
 * An expected failure of the environment. `code`: the operating system's code, or one of Countersign's own such as `ECHANGED` or
 * `ENOSHELL`. `message`: text for people.
 */
export class EnvironmentFailure extends Error implements FileFailure {
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'EnvironmentFailure'
    this.code = code
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOTEMPTY: 'the folder is not empty',
  EEXIST: 'it exists already',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long',
  EBUSY: 'it is in use by another program',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this system',
  EXDEV: 'it is on another file system',
  EIO: 'the device reported an error',
}

/** Returns the result of `work`. Null if it throws, for example because a file cannot be read. */
export function orNull<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** The operating system's code of an error. Null if the error has none. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** Why the system refused the operation, as the end of a sentence: "it does not exist". */
export function whyNot(error: unknown): string {
  return REASONS[codeOf(error) ?? ''] ?? (error instanceof Error ? error.message : 'unknown reason')
}

/**
 * Returns the failure with a sentence as its message: "Could not read a.txt: it does not exist (ENOENT)." An error without a code is
 * returned unchanged.
 */
export function explained(error: unknown, doing: string, path: string): unknown {
  const code = codeOf(error)
  if (code === null || error instanceof EnvironmentFailure) return error
  return new EnvironmentFailure(code, `Could not ${doing} ${path}: ${whyNot(error)} (${code}).`, error)
}
