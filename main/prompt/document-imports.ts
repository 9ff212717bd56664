import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { documentAt, type ProjectDocument } from './project-document.ts'

/** Maximum depth of nested imports, counted from the document. */
const MAX_HOPS = 5
/** Maximum number of files that one document can import. */
const MAX_FILES = 50

/** `shown` is the path relative to the root. */
interface ImportedDocument extends ProjectDocument {
  readonly shown: string
}

export interface Imports {
  /** In the order in which the document lists them. Each file comes before its own imports. */
  readonly documents: readonly ImportedDocument[]
  /** Paths of files that exist but were not imported, in the spelling of the importing document. */
  readonly refused: readonly string[]
}

/**
 * Reads the files that a document imports with `@path`, as in Claude Code. Paths are relative to the document. Imported files can import
 * others, up to five levels deep. Paths in code are ignored. Paths and links that lead out of the root are refused, and so are files that
 * may contain secrets, such as `.env`. `known` contains real paths that are not imported again; the paths of imported files are added to
 * it.
 */
export async function importsOf(
  env: ExecutionEnvironment,
  root: string,
  { path, text }: { readonly path: string; readonly text: string },
  known: Set<string>,
): Promise<Imports> {
  const documents: ImportedDocument[] = []
  const refused = new Set<string>()
  const follow = async (from: string, content: string, hop: number): Promise<void> => {
    for (const written of importedPaths(content)) {
      const target = written.startsWith('~/')
        ? join(homedir(), written.slice(2))
        : isAbsolute(written)
          ? written
          : join(dirname(from), written)
      const document = await documentAt(env, target, root)
      if (document === null) {
        if (await isFile(env, target)) refused.add(written)
      } else if (!known.has(document.real) && documents.length < MAX_FILES) {
        known.add(document.real)
        documents.push({ ...document, shown: relative(root, target).replaceAll(sep, '/') })
        if (hop < MAX_HOPS) await follow(target, document.text, hop + 1)
      }
    }
  }
  await follow(path, text, 1)
  return { documents, refused: [...refused] }
}

const FENCED = /^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|$(?![\s\S]))/gm
const IN_LINE = /(`+)[^`][\s\S]*?\1/g

/** The paths that follow `@` outside code. Punctuation that belongs to the surrounding sentence is removed. */
function importedPaths(text: string): readonly string[] {
  const plain = text.replaceAll(FENCED, '').replaceAll(IN_LINE, '')
  const found = [...plain.matchAll(/(?:^|[\s(])@((?:\\ |[^\s\\`@])+)/g)]
  return found.map(([, path = '']) => path.replaceAll('\\ ', ' ').replace(/[.,;:!?)\]"']+$/, '')).filter((path) => path !== '')
}

/** Whether a regular file is at this path, or a link leads to one. False if that cannot be found out. */
export async function isFile(env: ExecutionEnvironment, path: string): Promise<boolean> {
  return env.stat(path).then(
    (stat) => stat?.kind === 'file',
    () => false,
  )
}
