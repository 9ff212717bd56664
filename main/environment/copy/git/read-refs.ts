import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CopyChange } from '../../../agent/ports/command-copies.ts'

/** Hashes by the full name of each ref. `head`: the name of a ref (`refs/…`), or a hash. */
export interface Refs {
  readonly head: string
  readonly refs: ReadonlyMap<string, string>
}

/** If there are more refs, a change is not described in git's terms. */
const MAX_REFS = 20_000

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u

/** The refs of a `.git` folder. Null if there is no repository, or if it has more than `MAX_REFS` loose refs. */
export async function readRefs(git: string): Promise<Refs | null> {
  const [head, packed, names] = await Promise.all([text(join(git, 'HEAD')), text(join(git, 'packed-refs')), refNames(git, 'refs')])
  if (head === null || names.length > MAX_REFS) return null
  const loose = await Promise.all(names.map(async (name) => [name, await text(join(git, name))] as const))
  return { head: headOf(head), refs: new Map([...packedRefs(packed), ...hashes(loose)]) }
}

/**
 * The refs after the changes of a copy. `before` is null if the copy created the repository. `after`: the copy's `.git` folder, which
 * contains only what changed.
 */
export async function changedRefs(
  before: Refs | null,
  changes: readonly CopyChange[],
  git: { before: string; after: string },
): Promise<Refs> {
  const kept = new Map(before?.refs)
  const inGit = changes.flatMap((change) =>
    change.path.startsWith('.git/') ? [{ ...change, name: change.path.slice('.git/'.length) }] : [],
  )
  const isPacked = inGit.some(({ name }) => name === 'packed-refs')
  const written = (name: string): boolean => inGit.some((change) => change.name === name && change.kind !== 'deleted')
  const packed = packedRefs(await text(join(written('packed-refs') || before === null ? git.after : git.before, 'packed-refs')))
  if (isPacked) {
    const old = packedRefs(await text(join(git.before, 'packed-refs')))
    for (const [name, hash] of old) if (kept.get(name) === hash && !packed.has(name)) kept.delete(name)
    for (const [name, hash] of packed) if (!kept.has(name) || kept.get(name) === old.get(name)) kept.set(name, hash)
  }
  for (const { name, kind } of inGit) {
    if (!name.startsWith('refs/')) continue
    const hash = kind === 'deleted' ? (packed.get(name) ?? null) : ((await text(join(git.after, name)))?.trim() ?? null)
    if (hash === null) kept.delete(name)
    else if (HASH.test(hash)) kept.set(name, hash)
  }
  const head = written('HEAD') ? await text(join(git.after, 'HEAD')) : null
  return { head: head === null ? (before?.head ?? '') : headOf(head), refs: kept }
}

/** The hash of the checked-out commit. Null if there is no commit yet. */
export const headHash = ({ head, refs }: Refs): string | null => (HASH.test(head) ? head : (refs.get(head) ?? null))

const headOf = (content: string): string => content.trim().replace(/^ref: /u, '')

const hashes = (all: readonly (readonly [string, string | null])[]): readonly (readonly [string, string])[] =>
  all.flatMap(([name, content]) => (content !== null && HASH.test(content.trim()) ? [[name, content.trim()] as const] : []))

function packedRefs(content: string | null): ReadonlyMap<string, string> {
  const lines = content?.split('\n') ?? []
  return new Map(
    lines.flatMap((line) =>
      /^[0-9a-f]{40,64} refs\//u.test(line) ? [[line.slice(line.indexOf(' ') + 1), line.split(' ', 1)[0] ?? '']] : [],
    ),
  )
}

async function refNames(git: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(git, folder), { withFileTypes: true }).catch(() => [])
  const names: string[] = []
  for (const entry of entries) {
    if (names.length > MAX_REFS) break
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) names.push(...(await refNames(git, name)))
    else if (entry.isFile()) names.push(name)
  }
  return names
}

const text = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null)
