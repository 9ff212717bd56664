import { dirname, relative, sep, join } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { FolderDocuments, ModelName } from '../agent/ports/folder-documents.ts'
import { hashOf } from '../agent/blob-hash.ts'
import { isInside } from '../is-inside.ts'
import { documentsOfFolder } from './project-documents.ts'

/** Folders of other people's code. Their instruction files are ignored. */
const FOREIGN: ReadonlySet<string> = new Set(['node_modules', '.git', 'vendor', '.venv', 'site-packages'])

/** `text` is empty if the folder has no documents. */
interface Given {
  readonly text: string
  readonly saw: Awaited<ReturnType<FolderDocuments['of']>>['saw']
}

/**
 * When the agent first reads or writes a file in a subfolder, gives it the instructions of that subfolder, as Claude Code, Codex and Gemini
 * CLI do. `project` is the real path of the trusted folder, whose own documents are already in the prompt.
 */
export function createFolderDocuments(
  env: ExecutionEnvironment,
  project: string,
  /** Names of documents that the model family reads. */
  namesFor: (model: ModelName) => readonly string[],
): FolderDocuments {
  const known = new Map<string, Promise<Given>>()
  let since = 0
  return {
    async of(paths, { model, compactions, isSeen }) {
      // A compaction has removed the instructions of subfolders from the conversation, so they can be given again.
      if (compactions !== since) known.clear()
      since = compactions
      const found: Given[] = []
      for (const folder of new Set(paths.flatMap((path) => foldersBelow(project, path)))) {
        const before = await known.get(folder)
        if (before?.saw.every(isSeen)) continue
        // Recorded immediately, so that calls of the same round do not add the same text twice.
        const reading = given(env, project, folder, namesFor(model))
        known.set(folder, reading)
        const now = await reading
        // Nothing is added if the agent already has the documents: it read them itself, or got them before the app was restarted.
        const isKnown = (compactions === 0 || before !== undefined) && now.saw.every(isSeen)
        if (!isKnown) found.push(now)
      }
      return { text: found.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n'), saw: found.flatMap(({ saw }) => saw) }
    },
  }
}

async function given(env: ExecutionEnvironment, project: string, folder: string, names: readonly string[]): Promise<Given> {
  const { text, files } = await documentsOfFolder(env, project, folder, names)
  const saw = await Promise.all(files.map(async (path) => ({ path, hash: hashOf(await env.readBytes(path)) })))
  return { text, saw }
}

/** The folders between the project and a file in it, outermost first. */
function foldersBelow(project: string, path: string): readonly string[] {
  const folder = dirname(path)
  if (!isInside(project, folder)) return []
  const steps = relative(project, folder).split(sep).filter(Boolean)
  return steps.some((step) => FOREIGN.has(step)) ? [] : steps.map((_, at) => join(project, ...steps.slice(0, at + 1)))
}
