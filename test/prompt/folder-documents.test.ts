import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { createFolderDocuments } from '../../main/prompt/folder-documents.ts'
import type { SeenFile } from '../../shared/session/events.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Creates a project with these files, and a conversation that remembers which documents it received. */
async function place(files: Readonly<Record<string, string>>, names: readonly string[] = ['AGENTS.md']) {
  const root = temporaryFolder('documents')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const env = createLocalExecutionEnvironment(root)
  onTestFinished(() => env.cleanup())
  const seen = new Map<string, string>()
  const documents = createFolderDocuments(env, root, () => names)
  const worked = async (paths: readonly string[], compactions = 0): Promise<readonly string[]> => {
    const isSeen = ({ path, hash }: SeenFile): boolean => seen.get(path) === hash
    const model = { provider: 'anthropic', model: '' } as const
    const { text, saw } = await documents.of(
      paths.map((path) => join(root, path)),
      { model, compactions, isSeen },
    )
    for (const { path, hash } of saw) seen.set(path, hash)
    return [...text.matchAll(/<document path="([^"]+)">/g)].map(([, path = '']) => path)
  }
  return { root, seen, worked }
}

const FILES = { 'AGENTS.md': 'root', 'a/AGENTS.md': 'outer', 'a/b/AGENTS.md': 'inner', 'c/AGENTS.md': 'other', 'a/b/x.ts': '' }

test('documents of subfolders are added once each, outermost first, without those of the project root', async () => {
  const { worked } = await place(FILES)
  expect(await worked(['x.ts'])).toEqual([])
  expect(await worked(['a/b/x.ts'])).toEqual(['a/AGENTS.md', 'a/b/AGENTS.md'])
  expect(await worked(['a/b/y.ts', 'a/z.ts', 'c/x.ts'])).toEqual(['c/AGENTS.md'])
})

test('two simultaneous calls add the same document once', async () => {
  const { worked } = await place(FILES)
  const both = await Promise.all([worked(['c/x.ts']), worked(['c/y.ts'])])
  expect(both.flat()).toEqual(['c/AGENTS.md'])
})

test('documents are added again after a compaction or a rewind, unless the agent has read them itself', async () => {
  const { root, seen, worked } = await place(FILES)
  expect(await worked(['c/x.ts'])).toEqual(['c/AGENTS.md'])
  expect(await worked(['c/x.ts'], 1)).toEqual(['c/AGENTS.md'])
  expect(await worked(['c/x.ts'], 1)).toEqual([])
  seen.delete(join(root, 'c/AGENTS.md'))
  expect(await worked(['c/x.ts'], 1)).toEqual(['c/AGENTS.md'])

  const other = await place(FILES)
  for (const [path, hash] of seen) other.seen.set(path.replace(root, other.root), hash)
  expect(await other.worked(['c/x.ts'])).toEqual([])
})

test('documents of dependencies and of folders outside the project are ignored, and another family’s document is used if that of the model’s own family is missing', async () => {
  const { worked } = await place({ 'node_modules/p/AGENTS.md': 'p', 'd/CLAUDE.md': 'for Claude', 'd/GEMINI.md': 'for Gemini' })
  expect(await worked(['node_modules/p/index.js', '../elsewhere/x.ts'])).toEqual([])
  expect(await worked(['d/x.ts'])).toEqual(['d/CLAUDE.md'])
})
