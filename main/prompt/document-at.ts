import { isInside } from '../inside.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'

/** Bytes: what is longer is not read at all. */
const LONGEST = 4 * 1024 * 1024

export interface ProjectDocument {
  /** Real path: several names may be links to one file. */
  readonly real: string
  readonly text: string
}

/** A text of the project, trimmed. Null: there is none, it is empty or binary, it cannot be read, or it lies outside the root behind a link. */
export async function documentAt(env: ExecutionEnvironment, path: string, root: string): Promise<ProjectDocument | null> {
  try {
    const real = await env.realpath(path)
    if (!isInside(await env.realpath(root), real)) return null
    const text = new TextDecoder().decode(await env.readBytes(real, { maxBytes: LONGEST })).trim()
    return text === '' || text.includes('\0') ? null : { real, text }
  } catch {
    return null
  }
}

/** A text cannot end the frame that it stands in and go on as if it were more than that (C15). */
export function framed(frame: 'document' | 'memory', text: string): string {
  return text.replaceAll(new RegExp(`</(?=\\s*${frame}\\b)`, 'gi'), '<\\/')
}
