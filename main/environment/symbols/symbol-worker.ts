import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { lstat, mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { createSymbolIndex, type SymbolIndex } from './symbol-index.ts'
import { type Definition, definitionIn } from './symbol-rules.ts'
import type { SymbolReply, SymbolRequest } from './symbol-thread.ts'

const { cache } = workerData as { readonly cache: string | null }

/** Maximum number of indexes that are kept in memory. */
const MAX_FOLDERS = 3
/** Number of files whose size and times are read at once. */
const AT_ONCE = 256
const VERSION = 1

const indexes = new Map<string, SymbolIndex>()

parentPort?.on('message', (request: SymbolRequest) => {
  const { id } = request
  answerTo(request).then(
    (reply) => parentPort?.postMessage(reply),
    (error: unknown) => parentPort?.postMessage({ kind: 'failed', id, message: String(error) } satisfies SymbolReply),
  )
})

async function answerTo(request: SymbolRequest): Promise<SymbolReply> {
  const { id, folder } = request
  switch (request.kind) {
    case 'find':
      return { kind: 'found', id, symbols: indexes.get(folder)?.find(request.typed) ?? [], isReady: indexes.has(folder) }
    case 'files':
      await begin(folder, linesOf(request.list, '\0'))
      return nextPart(id, folder)
    case 'lines':
      await take(folder, request.lines)
      return nextPart(id, folder)
    case 'done':
      await keep(folder)
      return { kind: 'next', id, paths: [] }
  }
}

/** The size and the time of the last change. Null if the file is gone. */
const stampOf = (folder: string, path: string): Promise<string | null> =>
  lstat(join(folder, path)).then(
    (stat) => (stat.isFile() ? `${stat.size} ${stat.mtimeMs}` : null),
    () => null,
  )

/** Searches for the files that have changed since they were read. */
async function begin(folder: string, paths: readonly string[]): Promise<void> {
  const known = indexes.get(folder)
  const index = known ?? read(folder)
  if (!known && (await index.publish())) indexes.set(folder, index)
  index.keepOnly(new Set(paths))
  const changed: string[] = []
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    const some = paths.slice(from, from + AT_ONCE)
    const stamps = await Promise.all(some.map((path) => stampOf(folder, path)))
    for (const [at, path] of some.entries()) if (stamps[at] !== null && stamps[at] !== index.stampOf(path)) changed.push(path)
  }
  filling.set(folder, { index, parts: parts(changed) })
}

/** The indexes that are being updated, with the changed files in parts. The first part is being read. */
const filling = new Map<string, { readonly index: SymbolIndex; readonly parts: string[][] }>()

/** Maximum number of files in a part: few enough for one command line, and for a message that does not delay the other thread. */
const MAX_FILES = 2_000
const MAX_NAMES = 100_000

function parts(paths: readonly string[]): string[][] {
  const all: string[][] = []
  let characters = Infinity
  for (const path of paths) {
    characters += path.length
    if (characters > MAX_NAMES || (all.at(-1)?.length ?? 0) === MAX_FILES) {
      all.push([])
      characters = path.length
    }
    all.at(-1)?.push(path)
  }
  return all
}

const nextPart = (id: number, folder: string): SymbolReply => ({ kind: 'next', id, paths: filling.get(folder)?.parts[0] ?? [] })

/** `lines`: the lines that ripgrep printed for the files of the first part. */
async function take(folder: string, lines: Uint8Array): Promise<void> {
  const filled = filling.get(folder)
  const paths = filled?.parts.shift()
  if (!filled || !paths) return
  const definitions = new Map<string, Definition[]>(paths.map((path) => [path, []]))
  let count = 0
  for (const line of linesOf(lines, '\n')) {
    const end = line.indexOf('\0')
    const colon = line.indexOf(':', end)
    const path = line.slice(0, end).replaceAll('\\', '/')
    const definition = definitionIn(path, line.slice(colon + 1))
    if (!definition) continue
    definitions.get(path)?.push({ ...definition, line: Number(line.slice(end + 1, colon)) })
    if (++count % 20_000 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const stamps = await Promise.all(paths.map((path) => stampOf(folder, path)))
  for (const [at, path] of paths.entries()) filled.index.put(path, stamps[at] ?? '', definitions.get(path) ?? [])
}

function linesOf(bytes: Uint8Array, end: string): readonly string[] {
  return new TextDecoder()
    .decode(bytes)
    .split(end)
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('./') ? line.slice(2) : line))
}

const fileOf = (folder: string): string => join(cache ?? '', `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}.json`)

/** Reads the index of an earlier run. Its stamps tell what has changed since. */
function read(folder: string): SymbolIndex {
  const index = createSymbolIndex()
  if (cache === null) return index
  try {
    const { version, files } = JSON.parse(readFileSync(fileOf(folder), 'utf8')) as {
      readonly version: number
      readonly files: readonly (readonly [string, string, readonly (readonly [string, string, number])[]])[]
    }
    if (version === VERSION)
      for (const [path, stamp, definitions] of files)
        index.put(
          path,
          stamp,
          definitions.map(([name, kind, line]) => ({ name, kind, line })),
        )
  } catch {
    // There is no index, or it cannot be used, so it is built again.
  }
  return index
}

async function keep(folder: string): Promise<void> {
  const index = filling.get(folder)?.index
  filling.delete(folder)
  if (!index) return
  const isChanged = await index.publish()
  indexes.delete(folder)
  indexes.set(folder, index)
  for (const oldest of [...indexes.keys()].slice(0, -MAX_FOLDERS)) indexes.delete(oldest)
  if (cache !== null && isChanged) await store(index, cache, fileOf(folder)).catch(() => {})
}

/** Number of files whose definitions are written in one step. */
const WRITTEN_AT_ONCE = 2_000

/**
 * Stores an index for the next run, in pieces, because no question is answered while a piece is being written. If the index cannot be
 * stored, the next run builds it again.
 */
async function store(index: SymbolIndex, into: string, path: string): Promise<void> {
  await mkdir(into, { recursive: true, mode: 0o700 })
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    let rows: string[] = []
    let before = `{"version":${VERSION},"files":[`
    const write = async (): Promise<void> => {
      await file.write(before + rows.join(','))
      before = ','
      rows = []
    }
    for (const [name, { stamp, definitions }] of index.entries()) {
      rows.push(JSON.stringify([name, stamp, definitions.map((one) => [one.name, one.kind, one.line])]))
      if (rows.length === WRITTEN_AT_ONCE) await write()
    }
    if (rows.length > 0 || before !== ',') await write()
    await file.write(']}')
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}
