import { dirname, join, relative, sep } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { EnvironmentFacts } from './environment-facts.ts'
import { isInside } from '../inside.ts'

/** Bytes. A longer file is not read. */
const LONGEST = 4 * 1024 * 1024

interface ProjectDocument {
  /** Real path, because several names may be links to one file. */
  readonly real: string
  readonly text: string
}

/** Bytes of all documents together. */
const BUDGET = 32 * 1024
const TRUNCATED = '[Project instructions truncated at 32KB]'

interface Document {
  /** The folder of the document. */
  readonly folder: string
  readonly shown: string
  readonly text: string
}

/**
 * The project's instructions as one text: the documents with these names in every folder from the repository's root down to the working
 * directory, outermost first, so that inner ones take precedence. The text is raw, without line numbers. Above 32 KB, documents of the deepest
 * folders are kept, and the one that no longer fits is cut. Unreadable files and links that lead out of the root are skipped. Call it only for
 * a trusted folder.
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
    // Several names may be links to one file: include it once.
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

/** Gives room to the deepest folder first, and within a folder to the first name. */
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

/** Never cuts inside a character. */
function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text)
  if (bytes.byteLength <= most) return text
  let end = most
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString()
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

/** Escapes closing tags of the frame, so that the text cannot end its frame and pose as instructions. */
export function framed(frame: 'document' | 'memory', text: string): string {
  return text.replaceAll(new RegExp(`</(?=\\s*${frame}\\b)`, 'gi'), '<\\/')
}
