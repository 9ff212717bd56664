import { factsOfFile } from '../../environment/files/user-chosen-file.ts'
import type { ImportOrigin } from '../../store/log/incomplete-sessions.ts'
import { VERSION } from '../../version.ts'

/** Describes the file so that a later launch can tell whether it is the same. Null if it cannot be read. */
export async function originOf(path: string): Promise<ImportOrigin | null> {
  const facts = await factsOfFile(path)
  return facts && { path, ...facts, version: VERSION, tries: 1 }
}

/** Whether the file is the same as when its import began, and this version reads the same events from it. */
export async function isUnchanged({ path, bytes, mtimeMs, version }: ImportOrigin): Promise<boolean> {
  const now = await originOf(path)
  return now !== null && now.bytes === bytes && now.mtimeMs === mtimeMs && now.version === version
}
