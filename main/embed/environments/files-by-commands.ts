import { decodeUtf8 } from '../../../shared/lib/decode-utf8.ts'
import { posix } from 'node:path'
import type * as ports from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { ExecResult, ExecutionEnvironment, RawAccess } from './environment-types.ts'

/** Time limit of one command, in ms. */
const TIMEOUT_MS = 60_000

/**
 * Reads and writes exact bytes, links and modes with POSIX commands, for an environment that has only the members that the specification
 * defines (a container, another machine). `readFile` cannot be used, because it numbers the lines.
 */
export function filesByCommands(host: ExecutionEnvironment): RawAccess {
  const run = (command: string): Promise<ExecResult> => host.execCommand(command, TIMEOUT_MS)
  const must = async (command: string, doing: string, path: string): Promise<string> => {
    const { exitCode, stdout, stderr } = await run(command)
    if (exitCode === 0) return stdout
    throw new EnvironmentFailure(codeIn(stderr), `Could not ${doing} ${path}: ${stderr.trim() || `exit code ${exitCode}`}`)
  }
  const stat = (flags: string) => async (path: string) => {
    const bsd = host.platform() === 'darwin'
    const format = bsd ? `-f '%Xp %z %m %i %l'` : `-c '%f %s %Y %i %h'`
    const { exitCode, stdout, stderr } = await run(`stat ${flags} ${format} -- ${quoted(path)}`)
    if (exitCode === 0) return statIn(stdout)
    if (codeIn(stderr) === 'ENOENT' || codeIn(stderr) === 'ENOTDIR') return null
    throw new EnvironmentFailure(codeIn(stderr), `Could not look at ${path}: ${stderr.trim()}`)
  }
  const raw: RawAccess = {
    stat: stat('-L'),
    lstat: stat(''),
    async readBytes(path, { maxBytes = Infinity } = {}) {
      const found = await raw.stat(path)
      if (found === null) throw new EnvironmentFailure('ENOENT', `Could not read ${path}: it does not exist (ENOENT).`)
      if (found.kind === 'folder') throw new EnvironmentFailure('EISDIR', `Could not read ${path}: it is a folder (EISDIR).`)
      if (found.kind !== 'file') throw new EnvironmentFailure('EINVAL', `Could not read ${path}: it is not a regular file (EINVAL).`)
      if (found.size > maxBytes) throw new EnvironmentFailure('EFBIG', `Could not read ${path}: it is too large (EFBIG).`)
      const bytes = Buffer.from(await must(`base64 < ${quoted(path)}`, 'read', path), 'base64')
      if (bytes.length === found.size) return bytes
      throw new EnvironmentFailure('EIO', `Could not read ${path} completely: ${bytes.length} of ${found.size} bytes arrived.`)
    },
    async writeBytes(path, bytes, { expected, mode } = {}) {
      if (expected !== undefined) await mustStillBe(raw, path, expected)
      const text = decodeUtf8(bytes, { keepsMark: true })
      if (text !== null) await host.writeFile(path, text)
      else {
        const coded = `${path}.base64-${crypto.randomUUID()}`
        await host.writeFile(coded, Buffer.from(bytes).toString('base64'))
        await must(`base64 -d < ${quoted(coded)} > ${quoted(path)}; code=$?; rm -f -- ${quoted(coded)}; exit $code`, 'write', path)
      }
      if (mode !== undefined) await raw.setMode(path, mode)
    },
    async realpath(path) {
      const from = posix.resolve(host.workingDirectory(), path)
      const up = 'while [ ! -e "$p" ] && [ ! -L "$p" ]; do rest="/${p##*/}$rest"; p=${p%/*}; p=${p:-/}; done'
      return posix.normalize(await must(`p=${quoted(from)}; rest=; ${up}; printf '%s%s' "$(readlink -f -- "$p")" "$rest"`, 'find', path))
    },
    readlink: async (path) => (await must(`readlink -- ${quoted(path)}`, 'read the link', path)).replace(/\n$/u, ''),
    symlink: async (target, path) => void (await must(`ln -s -- ${quoted(target)} ${quoted(path)}`, 'make the link', path)),
    rename: async (from, to) => void (await must(`mv -f -- ${quoted(from)} ${quoted(to)}`, 'rename', from)),
    setMode: async (path, mode) => void (await must(`chmod ${mode.toString(8)} -- ${quoted(path)}`, 'change the mode of', path)),
    createFolder: async (path, mode) => {
      if ((await raw.lstat(path)) !== null) throw new EnvironmentFailure('EEXIST', `Could not create ${path}: it exists (EEXIST).`)
      await must(`mkdir -p -- ${quoted(path)} && chmod ${mode.toString(8)} -- ${quoted(path)}`, 'create the folder', path)
    },
    removeFolder: async (path) => void (await must(`rmdir -- ${quoted(path)}`, 'delete the folder', path)),
    async spawn(argv, { workingDir, env, timeoutMs, signal, input } = {}) {
      const piped = input ? `printf %s ${quoted(Buffer.from(input).toString('base64'))} | base64 -d | ` : ''
      const { stdout, stderr, exitCode } = await host.execCommand(
        piped + argv.map(quoted).join(' '),
        timeoutMs ?? TIMEOUT_MS,
        workingDir,
        env,
        signal && { signal },
      )
      if (exitCode === 127) throw new EnvironmentFailure('ENOENT', `${argv[0]} cannot be started here.`)
      return { stdout: Buffer.from(stdout), stderr, exitCode, capped: false }
    },
    open: ([program]) =>
      Promise.reject(new EnvironmentFailure('ENOTSUP', `${program} was not started: this environment cannot open a program.`)),
    openShell: () => Promise.reject(new EnvironmentFailure('ENOSHELL', 'This environment has no persistent shell: use the shell tool.')),
  }
  return raw
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

async function mustStillBe(raw: RawAccess, path: string, expected: Uint8Array | null): Promise<void> {
  const now = (await raw.stat(path)) === null ? null : await raw.readBytes(path)
  const isSame = now === null || expected === null ? now === expected : Buffer.compare(now, expected) === 0
  if (!isSame) throw new EnvironmentFailure('ECHANGED', `${path} has changed; nothing was written.`)
}

const KINDS: Readonly<Record<number, ports.FileStat['kind']>> = { 0x8000: 'file', 0x4000: 'folder', 0xa000: 'symlink' }

/** Parses a line of `stat`: mode (hexadecimal), size, modification time in seconds, inode, number of hard links. */
function statIn(line: string): ports.FileStat {
  const [mode = '0', size, seconds, inode, links] = line.trim().split(' ')
  const bits = Number.parseInt(mode, 16)
  const kind = KINDS[bits & 0xf000] ?? 'other'
  return { kind, mode: bits & 0o7777, size: Number(size), mtimeMs: Number(seconds) * 1000, inode: Number(inode), links: Number(links) }
}

function codeIn(stderr: string): string {
  if (/no such file/iu.test(stderr)) return 'ENOENT'
  if (/not a directory/iu.test(stderr)) return 'ENOTDIR'
  if (/not empty/iu.test(stderr)) return 'ENOTEMPTY'
  if (/permission denied/iu.test(stderr)) return 'EACCES'
  if (/no space left/iu.test(stderr)) return 'ENOSPC'
  return /read-only file system/iu.test(stderr) ? 'EROFS' : 'EIO'
}
