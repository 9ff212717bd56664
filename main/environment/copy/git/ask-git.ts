import { Buffer } from 'node:buffer'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GitCommit, GitFile } from '../../../../shared/session/git-change.ts'
import type { ExecutionEnvironment } from '../../../agent/ports/execution-environment.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 4 * 1024 * 1024
const SHA1_LENGTH = 40
/** The hash of the empty tree, which git knows even without an object, for SHA-1 and for SHA-256. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const EMPTY_TREE_256 = '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'

/**
 * A changed file with the git object names of its contents. An object name is null if there is no file on that side. `objects` is absent if
 * the entry is not a plain file, such as a submodule.
 */
export interface GitObjectFile extends GitFile {
  readonly objects?: { readonly before: string | null; readonly after: string | null }
}

type GitObjectCommit = Omit<GitCommit, 'files'> & { readonly files: readonly GitObjectFile[] | null }

export interface GitQuestions {
  /** At most `limit` commits that can be reached from `from` but not from `without`, newest first. */
  commits(from: readonly string[], without: readonly string[], limit: number, withFiles: boolean): Promise<readonly GitObjectCommit[]>
  /** How an index differs from a commit or, if `commit` is null, from an empty tree. */
  staged(index: string, commit: string | null): Promise<readonly GitObjectFile[]>
  /**
   * The contents of the git objects with these names, each up to `MAX_CONTENT_BYTES` bytes. They are read in order until the total is too
   * large.
   */
  contents(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
}

/** Maximum number of bytes of one content and, in the next line, of all contents that are requested together. */
const MAX_CONTENT_BYTES = 512 * 1024
const MAX_CONTENTS_BYTES = 3 * 1024 * 1024

/**
 * Asks git about objects. Uses an empty repository of Countersign that borrows the objects from `objects` (folders), so that no
 * configuration of the user, the project or the command is read and no program is started. Rejects if git fails.
 */
export async function askGit<T>(
  env: Pick<ExecutionEnvironment, 'spawn'>,
  { objects, hash }: { readonly objects: readonly string[]; readonly hash: string },
  ask: (git: GitQuestions) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-git-'))
  const is256 = hash.length > SHA1_LENGTH
  const runBytes = async (
    args: readonly string[],
    input: string,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Buffer | null> => {
    const { stdout, exitCode, capped, stderr } = await env.spawn(['git', '--no-optional-locks', '--no-pager', ...args], {
      workingDir: folder,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      input: Buffer.from(input),
      env: {
        GIT_DIR: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_NO_REPLACE_OBJECTS: '1',
        GIT_ASKPASS: '',
        ...variables,
      },
    })
    if (capped) return null
    if (exitCode !== 0) throw new Error(stderr.trim() || `git ended with exit code ${exitCode}.`)
    return Buffer.from(stdout)
  }
  const run = async (...asked: Parameters<typeof runBytes>): Promise<string | null> => (await runBytes(...asked))?.toString('utf8') ?? null
  try {
    await Promise.all([mkdir(join(folder, 'objects', 'info'), { recursive: true }), mkdir(join(folder, 'refs'))])
    const format = is256
      ? '[core]\nrepositoryformatversion = 1\nbare = true\n[extensions]\nobjectformat = sha256\n'
      : '[core]\nbare = true\n'
    await Promise.all([
      writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n'),
      writeFile(join(folder, 'config'), format),
      writeFile(join(folder, 'objects', 'info', 'alternates'), objects.map((path) => `${path}\n`).join('')),
    ])
    return await ask({
      async commits(from, without, limit, withFiles) {
        const names = [...from, ...without.map((each) => `^${each}`)].join('\n')
        const plain = ['log', '--stdin', '-z', `--max-count=${limit}`, '--format=%x01%H%x02%an%x02%s', '--no-show-signature']
        const files = withFiles ? ['--raw', '--no-abbrev', '-M', '--diff-merges=first-parent', '--no-ext-diff', '--no-textconv'] : []
        const listed = await run([...plain, ...files], `${names}\n`)
        if (listed !== null) return parseCommits(listed, withFiles)
        return parseCommits((await run(plain, `${names}\n`)) ?? '', false)
      },
      async staged(index, commit) {
        const tree = commit ?? (is256 ? EMPTY_TREE_256 : EMPTY_TREE)
        const args = ['diff-index', '--cached', '-z', '-M', '--raw', '--no-abbrev', '--no-ext-diff', '--ignore-submodules', tree]
        return parseFiles(((await run(args, '', { GIT_INDEX_FILE: index })) ?? '').split('\0'))
      },
      async contents(names) {
        const sizes = (await run(['cat-file', '--batch-check'], names.map((name) => `${name}\n`).join(''))) ?? ''
        const wanted = smallBlobs(sizes)
        if (wanted.length === 0) return new Map()
        const found = await runBytes(['cat-file', '--batch'], wanted.map((name) => `${name}\n`).join(''))
        return found ? parseContents(found) : new Map()
      },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The names of the contents that are small enough, from the lines of `cat-file --batch-check`. */
function smallBlobs(lines: string): readonly string[] {
  const names: string[] = []
  let bytes = 0
  for (const [, name = '', size = ''] of lines.matchAll(/^([0-9a-f]+) blob (\d+)$/gmu)) {
    if (Number(size) > MAX_CONTENT_BYTES || bytes + Number(size) > MAX_CONTENTS_BYTES) continue
    bytes += Number(size)
    names.push(name)
  }
  return names
}

/** Parses `cat-file --batch`: a line with name, kind and size, then the content and a line feed. */
function parseContents(output: Buffer): ReadonlyMap<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>()
  for (let at = 0; at < output.length;) {
    const end = output.indexOf('\n', at)
    const [, name = '', size = ''] = /^([0-9a-f]+) blob (\d+)$/u.exec(output.toString('latin1', at, end)) ?? []
    if (end < 0 || name === '') break
    contents.set(name, output.subarray(end + 1, end + 1 + Number(size)))
    at = end + 1 + Number(size) + 1
  }
  return contents
}

/** Parses `log -z --raw`: a header that begins with 0x01, then a status and one path, or two, for each file. */
function parseCommits(listed: string, withFiles: boolean): readonly GitObjectCommit[] {
  const commits: { header: string; files: string[] }[] = []
  let paths = 0
  for (const token of listed.split('\0')) {
    if (paths === 0 && token.startsWith('\u0001')) commits.push({ header: token.slice(1), files: [] })
    else if (paths > 0 || token.trim() !== '') {
      const isStatus = paths === 0
      commits.at(-1)?.files.push(isStatus ? token.trim() : token)
      paths = isStatus ? pathsOf(token.trim()) : paths - 1
    }
  }
  return commits.map(({ header, files }) => {
    const [hash = '', author = '', subject = ''] = header.split('\u0002')
    return { hash, author, subject, files: withFiles ? parseFiles(files) : null }
  })
}

/** The number of paths that follow a status: two for a rename or a copy. */
const pathsOf = (status: string): number => (/ [RC]\d*$/u.test(status) ? 2 : 1)

/** Modes before and after, names of the contents before and after, and git's letter for the change. */
const RAW = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/u
const SUBMODULE = '160000'

function parseFiles(tokens: readonly string[]): readonly GitObjectFile[] {
  const files: GitObjectFile[] = []
  for (let at = 0; at + 1 < tokens.length;) {
    const status = tokens[at] ?? ''
    const [first = '', second = ''] = tokens.slice(at + 1, at + 3)
    const isTwo = pathsOf(status) === 2
    const [, modeBefore = '', modeAfter = '', before = '', after = '', letter = ''] = RAW.exec(status) ?? []
    const isPlain = modeBefore !== SUBMODULE && modeAfter !== SUBMODULE
    const objects = { before: nameOrNull(before), after: nameOrNull(after) }
    files.push({ status: letter, path: isTwo ? second : first, ...(isTwo && { from: first }), ...(isPlain && { objects }) })
    at += isTwo ? 3 : 2
  }
  return files
}

/** A name that consists of zeros means that there is no file. */
const nameOrNull = (name: string): string | null => (/^0*$/u.test(name) ? null : name)
