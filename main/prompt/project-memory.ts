import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { documentAt, framed } from './document-at.ts'
import { PROJECT_FILES } from './project-files.ts'

/** The project's memory file, below the working directory. It is a control file: every write to it is signed, in every mode. */
export const MEMORY_FILE = PROJECT_FILES.memory

/** Bytes of it that a prompt holds. */
const BUDGET = 16 * 1024
const TRUNCATED = '[Older notes left out: the memory is truncated at 16KB]'

/**
 * What the memory file says, raw; empty where there is none. Notes come to its end, so that of more than 16 KB the newest stay, from the
 * beginning of a line on. To be called for a trusted folder only.
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
