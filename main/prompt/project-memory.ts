import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { documentAt, framed } from './project-document.ts'
import { PROJECT_CONFIG_PATHS } from './project-config-paths.ts'

/** The project's memory file, relative to the working directory. It is a control file: every write needs a signature, in every mode. */
export const MEMORY_FILE = PROJECT_CONFIG_PATHS.memory

/** Maximum number of bytes of the memory file in a prompt. */
const BUDGET = 16 * 1024
const TRUNCATED = '[Older notes left out: the memory is truncated at 16KB]'

/**
 * The raw text of the memory file; empty if there is none. New notes are added at the end. If the file is longer than 16 KB, only its end
 * is kept, from the start of a line. Call it only for a trusted folder.
 */
export async function projectMemory(env: ExecutionEnvironment): Promise<string> {
  const folder = env.workingDirectory()
  const document = await documentAt(env, join(folder, MEMORY_FILE), folder)
  return document ? newest(framed('memory', document.text)) : ''
}

function newest(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.byteLength <= BUDGET) return text
  let from = bytes.byteLength - BUDGET
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from++
  const kept = bytes.subarray(from).toString()
  return `${TRUNCATED}\n${kept.slice(kept.indexOf('\n') + 1)}`
}
