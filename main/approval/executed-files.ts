import { wordList } from '../../shared/lib/word-list.ts'
import { posix } from 'node:path'
import type { CommandEffect, ExecutedFile } from '../../shared/session/effects.ts'
import { hashOf } from '../agent/blob-hash.ts'
import type { FileView } from '../agent/ports/tool.ts'
import type { CommandWord } from './command-line/command-word.ts'
import type { Run } from './command-line/program-invocation.ts'
import { readCommandLine } from './command-line/read-command-line.ts'
import { joined } from './command-line/shell-folders.ts'
import { programOf, startsOf } from './command-line/started-programs.ts'
import type { Disk } from './reached-files.ts'

const CONTAINERS = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml', 'Dockerfile', 'Containerfile']
/** For each program, the files in its working folder whose contents it executes. */
const PROJECT_CONFIG_PATHS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...['npm', 'pnpm', 'yarn', 'bun'].map((name) => [name, ['package.json']] as const),
  ...['make', 'gmake'].map((name) => [name, ['GNUmakefile', 'makefile', 'Makefile']] as const),
  ...['docker', 'docker-compose', 'podman'].map((name) => [name, CONTAINERS] as const),
  ['just', ['justfile', 'Justfile', '.justfile']],
])
/** Programs that also use the file in a parent folder, if their own folder has none. */
const SEARCH_UPWARDS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun', 'just', 'docker', 'docker-compose', 'podman'])
/** Programs that execute a file in their arguments. */
const INTERPRETERS: ReadonlySet<string> = new Set(
  wordList(`
  . source sh bash zsh dash ksh ash fish su node deno bun tsx ts-node python pypy ruby perl php lua Rscript java awk gawk sed uv
  poetry pipenv bundle nodemon
`),
)

/** Programs that print the files in their arguments. */
const PRINTERS: ReadonlySet<string> = new Set(['cat', 'head', 'tail'])

/** Maximum number of paths that are looked up for one command. No sensible line names more. */
const MAX_PATHS = 1_000
/** A larger file is compared by size, time and inode. Hashing this much takes about 10 ms. */
const MAX_HASHED_BYTES = 4 * 1024 * 1024

interface Place {
  readonly root: string
  readonly home: string | null
}

/**
 * The files that a command line names as programs or scripts, and the project files that its programs execute, such as `package.json`, with
 * their current content. `files`: the files as the command will find them. Files that these files execute in turn are not found, and
 * neither are names that are known only at run time. Never rejects.
 */
export async function executedFiles(
  { command, cwd }: Pick<CommandEffect, 'command' | 'cwd'>,
  { root, home }: Place,
  disk: Disk,
  files: FileView,
): Promise<readonly ExecutedFile[]> {
  const line = readCommandLine(command, { cwd, home })
  if (line === null) return []
  // `cat script | sh` executes what `cat` reads.
  const hasInterpreter = line.runs.some(({ words }) => startsOf(words).some(([program]) => isInterpreter(programOf(program))))
  return filesAt(
    line.runs.flatMap((run) => executedPaths(run, root, hasInterpreter)),
    disk,
    files,
  )
}

/** The files that the arguments of a program name, themselves or as the value of an option. Never rejects. */
export function filesNamedBy(args: readonly string[], cwd: string, disk: Disk, files: FileView): Promise<readonly ExecutedFile[]> {
  const texts = args.flatMap((text) => textsIn({ text, kind: 'literal' }))
  return filesAt(
    texts.map((text) => joined(cwd, text)),
    disk,
    files,
  )
}

async function filesAt(paths: readonly string[], disk: Disk, files: FileView): Promise<readonly ExecutedFile[]> {
  const found = new Map<string, ExecutedFile>()
  for (const path of [...new Set(paths)].slice(0, MAX_PATHS)) {
    const file = await fileAt(path, disk, files).catch(() => null)
    if (file) found.set(file.path, file)
  }
  return [...found.values()]
}

const isInterpreter = (name: string | null): boolean => name !== null && INTERPRETERS.has(name.replace(/[\d.]+$/u, '') || name)

/** `hasInterpreter`: whether the line contains an interpreter, which may execute what another program prints. */
function executedPaths(run: Run, root: string, hasInterpreter: boolean): readonly string[] {
  const folders = run.folders ?? [root]
  return startsOf(run.words).flatMap(([program, ...args]) => {
    const name = programOf(program)
    if (program === undefined || name === null) return []
    const project = PROJECT_CONFIG_PATHS.get(name) ?? []
    const mayExecute = isInterpreter(name) || (hasInterpreter && PRINTERS.has(name)) || project.length > 0
    const named = mayExecute ? [...args, ...run.readsFrom].flatMap(textsIn) : []
    const own = program.text.includes('/') ? [program.text, ...named] : named
    return folders.flatMap((folder) => [
      ...own.map((text) => joined(folder, text)),
      ...[folder, ...named.map((text) => joined(folder, text)), ...(SEARCH_UPWARDS.has(name) ? parentsOf(folder, root) : [])].flatMap(
        (at) => project.map((file) => posix.join(at, file)),
      ),
    ])
  })
}

/** The paths that a word may contain: the word itself or, if it is an option (`--file=x`, `-fx`), the option's value. */
function textsIn({ text, kind }: CommandWord): readonly string[] {
  if (kind !== 'literal') return []
  const value = text.startsWith('--') ? text.slice(text.indexOf('=') + 1) : text.startsWith('-') ? text.slice(2) : text
  return value === '' ? [] : [value]
}

function parentsOf(folder: string, root: string): readonly string[] {
  const parents: string[] = []
  for (let at = folder; at.startsWith(`${root}/`);) parents.push((at = posix.dirname(at)))
  return parents
}

/** Null if there is no regular file. */
async function fileAt(named: string, { env, place }: Disk, files: FileView): Promise<ExecutedFile | null> {
  const { path, shown } = await place(named)
  try {
    const bytes = await files.read(path, { maxBytes: MAX_HASHED_BYTES })
    return bytes && { path, shown, hash: hashOf(bytes) }
  } catch (error) {
    const stat = error instanceof Error && 'code' in error && error.code === 'EFBIG' ? await env.stat(path) : null
    return stat && { path, shown, hash: `${stat.size} ${stat.mtimeMs} ${stat.inode}` }
  }
}
