import { basename, join, relative, sep } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { EnvironmentFacts } from './environment-facts.ts'
import { documentAt, framed } from './project-document.ts'
import { importsOf, isFile } from './document-imports.ts'
import { rulePaths, ruleText } from './instruction-rules.ts'
import { PROJECT_CONFIG_PATHS } from './project-config-paths.ts'
import type { Trouble } from '../../shared/session/events.ts'

/** Maximum size in bytes of all documents together. */
const BUDGET = 32 * 1024
/** Maximum number of bytes that are kept free for the paths of the documents that do not fit. */
const RESERVED = 1024
const TRUNCATED = '[Project instructions truncated at 32KB]'

interface Document {
  readonly folder: string
  readonly shown: string
  readonly text: string
  readonly real: string
}

/** A document that was cut: the text contains only the first `shown` of its `bytes` bytes. */
interface CutDocument {
  readonly path: string
  readonly shown: number
  readonly bytes: number
}

export interface ProjectDocuments {
  /** Empty if there are no documents. */
  readonly text: string
  /** Empty if all documents are complete. */
  readonly cut: readonly CutDocument[]
}

/**
 * The project's instructions as one text, raw and without line numbers. It contains the documents with these names in every folder from the
 * repository's root down to the working directory, outermost first, so that inner ones take precedence. Each document is followed by the
 * files that it imports with `@path`. If the text is longer than 32 KB, the documents of the deepest folders are kept, the first one
 * that does not fit is cut, and of the others only the path and size are included. Unreadable files and links that lead out of the root are
 * skipped. Call it only for a trusted folder.
 */
export async function projectDocuments(
  env: ExecutionEnvironment,
  names: readonly string[],
  { workingDirectory, repository }: Pick<EnvironmentFacts, 'workingDirectory' | 'repository'>,
): Promise<ProjectDocuments> {
  const root = repository ?? workingDirectory
  const folders = foldersBetween(root, workingDirectory)
  const documents = await documentsIn(env, root, folders, names)
  const { text, cut } = withinBudget(documents)
  return { text: cut.length === 0 ? text : `${text}\n${TRUNCATED}`, cut }
}

/** The documents of one folder as one text, with the real paths of the included files. Call it only for a trusted folder. */
export async function documentsOfFolder(
  env: ExecutionEnvironment,
  root: string,
  folder: string,
  names: readonly string[],
): Promise<{ readonly text: string; readonly files: readonly string[] }> {
  const documents = await documentsIn(env, root, [folder], names)
  return { text: withinBudget(documents).text, files: documents.map(({ real }) => real) }
}

async function documentsIn(
  env: ExecutionEnvironment,
  root: string,
  folders: readonly string[],
  names: readonly string[],
): Promise<readonly Document[]> {
  const perFolder = await Promise.all(folders.map((folder) => candidatesIn(env, folder, names)))
  const seen = new Set<string>()
  const documents: Document[] = []
  for (const { folder, path, isRule } of perFolder.flat()) {
    const document = await documentAt(env, path, root)
    // Several names may be links to one file. Such a file is included once.
    if (document === null || seen.has(document.real)) continue
    seen.add(document.real)
    const text = isRule ? await ruleText(document.text) : document.text
    const imports = IMPORTING.has(basename(path)) ? await importsOf(env, root, { path, text }, seen) : NO_IMPORTS
    const whole = [
      text,
      ...imports.refused.map((written) => `[@${written} was not imported: it leads out of the project or may contain secrets]`),
    ]
    const shown = relative(root, path).replaceAll(sep, '/')
    const own = [{ shown, text: whole.join('\n'), real: document.real }, ...imports.documents]
    documents.push(...own.map((one) => ({ folder, shown: one.shown, text: framed('document', one.text), real: one.real })))
  }
  return documents
}

/** Documents in which `@path` imports other files. */
const IMPORTING: ReadonlySet<string> = new Set(['CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md'])
const NO_IMPORTS = { documents: [], refused: [] } as const

/**
 * The documents that Claude Code and Codex read in addition to a document of this name. They come later, so that they take precedence.
 */
const COMPANIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['AGENTS.md', ['AGENTS.override.md']],
  ['CLAUDE.md', ['.claude/CLAUDE.md', 'CLAUDE.local.md']],
])

interface Candidate {
  readonly folder: string
  readonly path: string
  readonly isRule: boolean
}

/** The documents of a folder in the order of their names, followed by its rules if the model family reads Claude Code's files. */
async function candidatesIn(env: ExecutionEnvironment, folder: string, names: readonly string[]): Promise<readonly Candidate[]> {
  const own = await filesNamed(env, folder, names)
  for (const name of own.length > 0 ? [] : OTHERS.filter((one) => !names.includes(one))) {
    const others = await filesNamed(env, folder, [name])
    if (others.length > 0) return others
  }
  return own
}

/** Documents of other agents. If a folder has no document for the model family, the first of these documents is used. */
const OTHERS = ['CLAUDE.md', 'GEMINI.md', 'AGENTS.md'] as const

async function filesNamed(env: ExecutionEnvironment, folder: string, names: readonly string[]): Promise<readonly Candidate[]> {
  const named = names.flatMap((name) => [name, ...(COMPANIONS.get(name) ?? [])]).map((name) => join(folder, name))
  const areFiles = await Promise.all(named.map((path) => isFile(env, path)))
  const rules = names.includes('CLAUDE.md') ? await rulePaths(env, join(folder, PROJECT_CONFIG_PATHS.rules)) : []
  return [
    ...named.filter((_, index) => areFiles[index]).map((path) => ({ folder, path, isRule: false })),
    ...rules.map((path) => ({ folder, path, isRule: true })),
  ]
}

const BETWEEN = '\n\n'

const bytesOf = (text: string): number => Buffer.byteLength(text)

const inFrame = ({ shown, text }: Document): string => `<document path=${JSON.stringify(shown)}>\n${text}\n</document>`

/** The beginning of a document in a frame with the document's path and size, so that the model can read the rest. */
function beginningInFrame({ shown, bytes }: SizedDocument, beginning: string, beginningBytes: number): string {
  const size = `first ${beginningBytes} of ${bytes} bytes; read the file for the rest`
  return `<document path=${JSON.stringify(shown)} included="${size}">\n${beginning}\n</document>`
}

interface SizedDocument extends Document {
  /** Size of the text. */
  readonly bytes: number
  /** Maximum size of a cut document's frame, not counting the text in it. */
  readonly frame: number
}

function sized(document: Document): SizedDocument {
  const one = { ...document, bytes: bytesOf(document.text), frame: 0 }
  return { ...one, frame: bytesOf(beginningInFrame(one, '', one.bytes)) + BETWEEN.length }
}

/** Cuts the documents to the budget. Documents of deeper folders are kept first, and within a folder the earlier ones. */
function withinBudget(documents: readonly Document[]): ProjectDocuments {
  const whole = documents.map(inFrame).join(BETWEEN)
  if (bytesOf(whole) <= BUDGET) return { text: whole, cut: [] }
  const kept = new Map<Document, string>()
  const cut: CutDocument[] = []
  const order = documents.toSorted((one, other) => other.folder.length - one.folder.length)
  const sizes = order.map(sized)
  let names = sizes.reduce((sum, { frame }) => sum + frame, 0)
  let left = BUDGET + BETWEEN.length
  for (const [index, document] of order.entries()) {
    const size = sizes[index] ?? sized(document)
    names -= size.frame
    const free = left - (cut.length === 0 ? Math.min(RESERVED, names) : 0)
    const isWhole = cut.length === 0 && bytesOf(inFrame(document)) + BETWEEN.length <= free
    const beginning = cut.length === 0 ? firstBytes(document.text, free - size.frame) : ''
    const beginningBytes = bytesOf(beginning)
    const included = isWhole ? inFrame(document) : beginningInFrame(size, beginning, beginningBytes)
    if (!isWhole) cut.push({ path: document.shown, shown: beginningBytes, bytes: size.bytes })
    if (bytesOf(included) + BETWEEN.length > left) continue
    kept.set(document, included)
    left -= bytesOf(included) + BETWEEN.length
  }
  return { text: documents.flatMap((document) => kept.get(document) ?? []).join(BETWEEN), cut }
}

function foldersBetween(root: string, folder: string): readonly string[] {
  const steps = relative(root, folder).split(sep).filter(Boolean)
  return [root, ...steps.map((_, index) => join(root, ...steps.slice(0, index + 1)))]
}

/** The beginning of the text, with at most this number of bytes. Never cuts inside a character. */
function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text)
  if (bytes.byteLength <= most) return text
  let end = Math.max(0, most)
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString()
}

/** Maximum number of files that are named. */
const NAMED = 5

/** Tells the user which instruction files the model gets only in part. `cut` is not empty. */
export function cutInstructions(cut: readonly CutDocument[]): Trouble {
  const named = cut.slice(0, NAMED).map(({ path, shown, bytes }) => `${path} (${inKb(shown)} of ${inKb(bytes)} KB)`)
  const others = cut.length > NAMED ? ` and ${cut.length - NAMED} more` : ''
  return {
    code: 'instructions_cut',
    what: `The project’s instructions are longer than 32 KB. The model gets only the first part of: ${named.join(', ')}${others}.`,
    kept: 'The files are unchanged, and the model gets their paths and sizes, so that it can read the rest.',
    todo: 'Put the most important instructions first, shorten the files, or move parts into the folders that they are about.',
  }
}

const inKb = (bytes: number): string => (bytes / 1024).toFixed(bytes < 10 * 1024 ? 1 : 0)
