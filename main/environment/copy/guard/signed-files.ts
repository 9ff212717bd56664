import type { SignedFile } from '../../../agent/ports/command-copies.ts'

/** What signed steps have written to control files, while the app runs. */
export interface SignedFiles {
  add(files: readonly SignedFile[]): void
  /** The SHA-256 of every content that was signed for an absolute path; of a link: of its target. */
  at(path: string): ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** Shared by everything that runs confined in the same folders. */
export function createSignedFiles(): SignedFiles {
  const signed = new Map<string, Set<string>>()
  return {
    add(files) {
      for (const { path, hash } of files) signed.set(path, (signed.get(path) ?? new Set()).add(hash))
    },
    at: (path) => signed.get(path) ?? NONE,
  }
}
