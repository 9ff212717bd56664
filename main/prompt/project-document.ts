import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { readablePath } from './readable-path.ts'

/** Maximum size in bytes. A longer file is not read. */
const LONGEST = 4 * 1024 * 1024

export interface ProjectDocument {
  /** Real path, because several names may be links to one file. */
  readonly real: string
  readonly text: string
}

/**
 * A text file of the project, trimmed. Null if it is missing, empty, binary or unreadable, if it may contain secrets, or if it leads out of
 * the root.
 */
export async function documentAt(env: ExecutionEnvironment, path: string, root: string): Promise<ProjectDocument | null> {
  try {
    const real = await readablePath(env, root, path)
    if (!real.ok) return null
    const text = new TextDecoder().decode(await env.readBytes(real.value, { maxBytes: LONGEST })).trim()
    return text === '' || text.includes('\0') ? null : { real: real.value, text }
  } catch {
    return null
  }
}

/** Escapes closing tags of the frame, so that the text cannot end the frame and pose as instructions. */
export function framed(frame: 'document' | 'memory', text: string): string {
  return text.replaceAll(new RegExp(`</(?=\\s*${frame}\\b)`, 'gi'), '<\\/')
}
