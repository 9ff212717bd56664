import { runOwnProgram } from '../../own-programs/run-own-program.ts'

/** The extended attribute of a folder in an upper layer that replaces a folder instead of being merged with it. */
const OPAQUE = 'user.overlay.opaque'
/** How tar names extended attributes in its headers. */
const IN_HEADER = `SCHILY.xattr.${OPAQUE}`
const TAR = ['--create', '--format=posix', '--no-recursion', '--null', '--files-from=-']
/** Maximum number of folders of one run of tar, which prints at most a few kilobytes for each. */
const FOLDERS_AT_ONCE = 4_000

/**
 * Returns the folders of an upper layer (relative paths) that replace a folder instead of being merged with it. Node cannot read extended
 * attributes. tar can, and every Linux system has it.
 */
export async function opaqueAmong(up: string, folders: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let from = 0; from < folders.length; from += FOLDERS_AT_ONCE) {
    const input = folders.slice(from, from + FOLDERS_AT_ONCE).map((path) => `./${path}\0`)
    const archive = await run('tar', [...TAR, '--xattrs', `--xattrs-include=${OPAQUE}`], up, input.join(''))
    for (const { path, records } of membersOf(archive)) if (records.has(IN_HEADER)) found.add(path)
  }
  return found
}

/** The process sees only the upper layer and the system's programs. */
const ONLY_UPPER = `--ro-bind /usr /usr --ro-bind-try /bin /bin --ro-bind-try /lib /lib --ro-bind-try /lib64 /lib64 --ro-bind-try /nix /nix`
const CONFINED = `exec bwrap ${ONLY_UPPER} --bind "$PWD" /up --chdir /up --unshare-all --die-with-parent -- /bin/bash -c "$1"`

/**
 * Marks folders (relative paths) of an upper layer as replacing those of the lower one. Changes nothing outside the upper layer, even if a
 * program in the layer replaces a folder with a link in the meantime.
 */
export async function makeOpaque(up: string, folders: readonly string[]): Promise<void> {
  const marked = [...TAR, `--pax-option=${IN_HEADER}:=y`].map((word) => `'${word}'`).join(' ')
  const script = `set -o pipefail; tar ${marked} | tar --extract --xattrs --xattrs-include=${OPAQUE} --preserve-permissions --no-same-owner`
  await run('/bin/bash', ['-c', CONFINED, 'mark', script], up, folders.map((path) => `./${path}\0`).join(''))
}

interface Member {
  readonly path: string
  /** The keywords of the extended header. */
  readonly records: ReadonlySet<string>
}

const BLOCK = 512

/** The folders in an archive in the POSIX format. Folders have no content. */
function membersOf(archive: Buffer): readonly Member[] {
  const members: Member[] = []
  let records = new Map<string, string>()
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0;) {
    const size = Number.parseInt(textAt(archive, at + 124, 12), 8)
    const isExtension = archive[at + 156] === 'x'.charCodeAt(0)
    if (isExtension) records = recordsOf(archive.subarray(at + BLOCK, at + BLOCK + size))
    else {
      const short = [textAt(archive, at + 345, 155), textAt(archive, at, 100)].filter((part) => part !== '').join('/')
      const path = (records.get('path') ?? short).replace(/^\.\//u, '').replace(/\/$/u, '')
      members.push({ path, records: new Set(records.keys()) })
      records = new Map()
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return members
}

/** Each record is `length keyword=value` and a line break. The length counts all of it, in bytes. */
function recordsOf(bytes: Buffer): Map<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < bytes.length;) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 20), 10)
    if (!(length > 0)) throw new Error('tar wrote an extended header that cannot be read.')
    const record = bytes.toString('utf8', at, at + length - 1)
    const equals = record.indexOf('=')
    records.set(record.slice(record.indexOf(' ') + 1, equals), record.slice(equals + 1))
    at += length
  }
  return records
}

const textAt = (bytes: Buffer, at: number, length: number): string => bytes.toString('utf8', at, at + length).replace(/\0.*$/su, '')

async function run(program: string, args: readonly string[], cwd: string, input: string): Promise<Buffer> {
  const { failure, stdout, stderr } = await runOwnProgram(program, args, { cwd, input, maxBytes: 256 * 1024 * 1024 })
  if (failure) throw new Error(`tar: ${stderr.split('\n')[0] ?? failure.message}`)
  return stdout
}

/** Maximum number of changed files that are examined. */
const MAX_LOOKED_AT_FILES = 1_000
/** Matches capabilities and all user attributes except those of the overlay. */
const OWN_ATTRIBUTES = String.raw`^(user\.([^o]|o[^v])|security\.capability)`

/** Maximum number of paths that are passed to one run of getfattr. The kernel limits arguments to about a megabyte. */
const BATCH = 200

/**
 * Returns which of the first `MAX_LOOKED_AT_FILES` files (relative paths) have extended attributes. Extended attributes are not applied.
 * Fails if getfattr is not installed.
 */
export async function withAttributes(up: string, files: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (let from = 0; from < Math.min(files.length, MAX_LOOKED_AT_FILES); from += BATCH)
    found.push(...(await withAttribute(up, files.slice(from, from + BATCH), ['-m', OWN_ATTRIBUTES])))
  return found
}

async function withAttribute(up: string, paths: readonly string[], which: readonly string[]): Promise<readonly string[]> {
  const text = await getfattr(
    up,
    which,
    paths.map((path) => `./${path}`),
  )
  return [...text.matchAll(/^# file: (?:\.\/)?(.*)$/gmu)].map(([, path = '']) => unescaped(path))
}

/** Fails only if a path cannot be examined. A path without the attribute is left out and reported on stderr. */
async function getfattr(cwd: string, which: readonly string[], paths: readonly string[]): Promise<string> {
  const run = await runOwnProgram('getfattr', ['-h', ...which, '--', ...paths], { cwd, maxBytes: 64 * 1024 * 1024 })
  const others = run.stderr.split('\n').filter((line) => line !== '' && !line.endsWith('No such attribute'))
  if (run.failure && (run.exitCode === null || others.length > 0)) throw new Error(`getfattr: ${others[0] ?? run.failure.message}`)
  return run.stdout.toString('latin1')
}

/** getfattr writes unprintable bytes as octal numbers. */
function unescaped(path: string): string {
  const bytes = path.replaceAll(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
