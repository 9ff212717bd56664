import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { isInside } from '../is-inside.ts'

/** Maximum size in bytes. A longer file is not read. */
const LONGEST = 4 * 1024 * 1024

export interface ProjectDocument {
  /** Real path, because several names may be links to one file. */
  readonly real: string
  readonly text: string
}

/** A text file of the project, trimmed. Null if it is missing, empty, binary, unreadable, or a link that leads out of the root. */
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

/** Escapes closing tags of the frame, so that the text cannot end the frame and pose as instructions. */
export function framed(frame: 'document' | 'memory', text: string): string {
  return text.replaceAll(new RegExp(`</(?=\\s*${frame}\\b)`, 'gi'), '<\\/')
}
