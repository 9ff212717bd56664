import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BWRAP = '/usr/bin/bwrap'
/** Whether this machine can run commands in a sandbox without a network. */
export const hasBubblewrap = spawnSync(BWRAP, ['--ro-bind', '/', '/', '--unshare-net', 'true']).status === 0

/** What a line did in bash: the programs that it started by name, and what it changed in the folders around it. */
interface Witnessed {
  readonly started: readonly string[]
  readonly changed: readonly string[]
}

/** A folder with a repository, secrets and links, next to a home folder. Lines run there in bash without a network. */
export interface ReadingOracle {
  /** Real path. */
  readonly root: string
  readonly home: string
  run(line: string): Witnessed
  remove(): void
}

/** Programs that are replaced by stubs. A stub records its name and starts the real program. */
const STUBBED = [
  ...'ls cat head tail wc nl tac cut paste fold tr sort uniq comm cmp diff pr basename dirname realpath readlink stat file du df tree'.split(
    ' ',
  ),
  ...'md5sum sha1sum sha256sum shasum od hexdump xxd strings column grep egrep fgrep rg find sed awk gawk mawk jq date uname whoami id'.split(
    ' ',
  ),
  ...'hostname nproc arch uptime free ps sleep seq git node python python3 bash sh gcc make perl ruby which env xargs tee rm rmdir mv cp'.split(
    ' ',
  ),
  ...'ln mkdir touch chmod truncate dd install patch tar unzip gzip zcat npm npx cargo go docker ssh curl wget less more vi nano gpg cap'.split(
    ' ',
  ),
]

export function createReadingOracle(): ReadingOracle {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-reading-')))
  const root = join(base, 'ws')
  const home = join(base, 'home')
  const bin = join(base, 'bin')
  const notes = join(base, 'notes')
  for (const folder of ['ws/src/deep', 'ws/sub', 'home/.ssh', 'bin', 'out']) mkdirSync(join(base, folder), { recursive: true })
  for (const name of STUBBED) {
    const real = ['/usr/local/bin', '/usr/bin', '/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path))
    // The stubs stay on the PATH of the real program, so the programs that it starts are recorded too.
    writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> '${notes}'\n${real ? `exec ${real} "$@"` : 'exit 127'}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  lay(base)
  return {
    root,
    home,
    run(line) {
      writeFileSync(notes, '')
      const before = treeOf(base)
      const { error } = spawnSync(
        BWRAP,
        [
          '--ro-bind',
          '/',
          '/',
          '--dev',
          '/dev',
          '--proc',
          '/proc',
          '--bind',
          base,
          base,
          '--unshare-net',
          '--unshare-pid',
          '--die-with-parent',
          '--chdir',
          root,
          '/bin/bash',
          '--noprofile',
          '--norc',
          '-c',
          line,
        ],
        {
          stdio: ['ignore', 'ignore', 'ignore'],
          timeout: 10_000,
          env: { PATH: bin, HOME: home, PAGER: 'cat', GIT_PAGER: 'cat', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', TERM: 'dumb' },
        },
      )
      if (error && !('code' in error && error.code === 'ETIMEDOUT')) throw error
      const after = treeOf(base)
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))
      if (changed.length > 0) lay(base)
      return {
        started: readFileSync(notes, 'utf8')
          .split('\n')
          .filter((name) => name !== ''),
        changed,
      }
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

function lay(base: string): void {
  for (const name of readdirSync(join(base, 'ws'))) rmSync(join(base, 'ws', name), { recursive: true, force: true })
  for (const folder of ['ws/src/deep', 'ws/sub']) mkdirSync(join(base, folder), { recursive: true })
  const files = {
    'a.ts': 'foo\nbar a w b\n',
    'b.txt': 'x,1\ny,2\nfoo\n',
    'c.json': '{"name":"n","a":[{"b":1}]}',
    '.env': 'KEY=1\n',
    'src/a.ts': 'foo\n',
    'src/b.ts': 'later\n',
    '-ox.txt': 'o\n',
    '--pre=id': 'x\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(base, 'ws', name), text)
  writeFileSync(join(base, 'home/.ssh/id_rsa'), 'key\n')
  symlinkSync('../home', join(base, 'ws/link'))
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: join(base, 'ws'), stdio: 'ignore' })
  git('init', '-q')
  git('add', '--', 'a.ts', 'b.txt', 'src')
  git('commit', '-qm', 'first')
}

/** Returns every file below a folder except the notes, with its mode, its inode, and its content or link target. */
function treeOf(base: string, folder = base): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (path === join(base, 'notes')) continue
    const stat = lstatSync(path)
    const content = stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? readFileSync(path, 'latin1') : ''
    found.set(path, `${stat.mode} ${stat.ino} ${content}`)
    if (stat.isDirectory()) for (const [inner, text] of treeOf(base, path)) found.set(inner, text)
  }
  return found
}
