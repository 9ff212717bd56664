import { join, relative, sep } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { documentAt, framed } from './document-at.ts'
import type { EnvironmentFacts } from './environment-facts.ts'

/** Bytes of all documents together (S-36). */
const BUDGET = 32 * 1024
const TRUNCATED = '[Project instructions truncated at 32KB]'

/**
 * What the project says to an agent, as one text: the documents of these names in every folder from the repository's root down to the
 * working directory, outer first, so that the inner ones have the last word. Raw text, never numbered; cut at 32 KB, not left out (T-13).
 * To be called for a trusted folder only. What cannot be read is left out, and so is what lies outside the root behind a link.
 */
export async function projectDocuments(
  env: ExecutionEnvironment,
  names: readonly string[],
  { workingDirectory, repository }: Pick<EnvironmentFacts, 'workingDirectory' | 'repository'>,
): Promise<string> {
  const root = repository ?? workingDirectory
  const paths = foldersBetween(root, workingDirectory).flatMap((folder) => names.map((name) => join(folder, name)))
  const areFiles = await Promise.all(paths.map((path) => isFile(env, path)))
  const seen = new Set<string>()
  const documents: string[] = []
  for (const path of paths.filter((_, index) => areFiles[index])) {
    const document = await documentAt(env, path, root)
    // Each file once, although several names may be links to it.
    if (document === null || seen.has(document.real)) continue
    seen.add(document.real)
    const shown = relative(root, path).replaceAll(sep, '/')
    documents.push(`<document path=${JSON.stringify(shown)}>\n${framed('document', document.text)}\n</document>`)
  }
  return cut(documents.join('\n\n'))
}

async function isFile(env: ExecutionEnvironment, path: string): Promise<boolean> {
  try {
    return (await env.stat(path))?.kind === 'file'
  } catch {
    return false
  }
}

function foldersBetween(root: string, folder: string): readonly string[] {
  const steps = relative(root, folder).split(sep).filter(Boolean)
  return [root, ...steps.map((_, index) => join(root, ...steps.slice(0, index + 1)))]
}

/** Never within a character. */
function cut(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.byteLength <= BUDGET) return text
  let end = BUDGET
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return `${bytes.subarray(0, end).toString()}\n${TRUNCATED}`
}
