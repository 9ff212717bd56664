import { dirname, join, relative, sep } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { documentAt, framed } from './document-at.ts'
import type { EnvironmentFacts } from './environment-facts.ts'

/** Bytes of all documents together (S-36). */
const BUDGET = 32 * 1024
const TRUNCATED = '[Project instructions truncated at 32KB]'

interface Document {
  /** The folder of the document. */
  readonly folder: string
  readonly shown: string
  readonly text: string
}

/**
 * What the project says to an agent, as one text: the documents of these names in every folder from the repository's root down to the
 * working directory, outer first, so that the inner ones have the last word. Raw text, never numbered. Of more than 32 KB the deepest folders'
 * documents are kept, and the one that no longer fits is cut, not left out (T-13). To be called for a trusted folder only. What cannot be read
 * is left out, and so is what lies outside the root behind a link.
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
  const documents: Document[] = []
  for (const path of paths.filter((_, index) => areFiles[index])) {
    const document = await documentAt(env, path, root)
    // Each file once, although several names may be links to it.
    if (document === null || seen.has(document.real)) continue
    seen.add(document.real)
    documents.push({ folder: dirname(path), shown: relative(root, path).replaceAll(sep, '/'), text: framed('document', document.text) })
  }
  const whole = documents.map(inFrame)
  if (bytesOf(whole.join(BETWEEN)) <= BUDGET) return whole.join(BETWEEN)
  return `${withinBudget(documents).join(BETWEEN)}\n${TRUNCATED}`
}

const BETWEEN = '\n\n'

const bytesOf = (text: string): number => Buffer.byteLength(text)

const inFrame = ({ shown, text }: Document): string => `<document path=${JSON.stringify(shown)}>\n${text}\n</document>`

/** The deepest folder's documents are given room first; within a folder the first name. */
function withinBudget(documents: readonly Document[]): readonly string[] {
  const kept = new Map<Document, string>()
  let left = BUDGET
  for (const document of documents.toSorted((one, other) => other.folder.length - one.folder.length)) {
    const frame = bytesOf(inFrame({ ...document, text: '' })) + (kept.size > 0 ? BETWEEN.length : 0)
    if (left <= frame) break
    const text = firstBytes(document.text, left - frame)
    kept.set(document, inFrame({ ...document, text }))
    left -= frame + bytesOf(text)
    if (text !== document.text) break
  }
  return documents.flatMap((document) => kept.get(document) ?? [])
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
function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text)
  if (bytes.byteLength <= most) return text
  let end = most
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString()
}
