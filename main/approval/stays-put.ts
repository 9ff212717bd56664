import { DESTROYING_PROGRAMS } from './destructive-programs.ts'
import { defines } from './line-steering.ts'
import { programOf, unwrapped } from './program-words.ts'
import type { ShellWord, SimpleCommand } from './simple-command.ts'
import { WRITERS } from './writers.ts'

const list = (names: string): readonly string[] => names.split(/\s+/u).filter((name) => name !== '')

/** Programs of their own, and words of the shell that neither move it nor change what its other words mean. */
const STAYING: ReadonlySet<string> = new Set([
  ...WRITERS.keys(),
  ...DESTROYING_PROGRAMS,
  ...list('echo true false : test [ [[ pwd sleep wait jobs kill umask ulimit exit type which ls cat head tail wc uniq cut tr nl tac rev'),
  ...list('mkdir mktemp stat file du df date env uname whoami id hostname basename dirname realpath readlink seq expr yes cmp diff comm'),
  ...list('grep egrep fgrep rg ag fd find awk gawk jq yq xxd od md5sum sha1sum sha256sum base64 tar gzip gunzip bzip2 xz zip git gh make'),
  ...list('cmake ninja meson npm npx pnpm yarn bun bunx deno node tsc tsx vitest jest eslint oxlint oxfmt prettier vite esbuild webpack'),
  ...list('python python2 python3 pip pip3 uv poetry pytest ruff mypy black tox php composer bundle rake rspec cargo rustup rustfmt gofmt'),
  ...list('java javac mvn gradle dotnet swift kotlinc docker podman kubectl ssh ps top lsof sqlite3 psql mysql openssl sh bash dash zsh'),
])

/** Words of the shell itself that set names: harmless where the names are told. */
const SETTERS: ReadonlySet<string> = new Set(list('export declare typeset local readonly read unset set printf'))

/** Words of the shell itself that may give other words another meaning. */
const STEERING: ReadonlySet<string> = new Set([
  ...SETTERS,
  ...list('eval . source trap alias unalias shopt enable hash mapfile readarray let getopts bind complete'),
])

/**
 * `put`: the shell stands behind it where it stood, for certain. `moved`: it may have gone elsewhere, or be another to what follows.
 * `unknown`: a program of which nothing is known; in a shell that runs one line alone, it moves nothing that stands outside of it.
 */
export type Staying = 'put' | 'moved' | 'unknown'

export function stayingOf(command: SimpleCommand): Staying {
  if (defines(command)) return 'moved'
  const [name, ...rest] = unwrapped(command.words)
  if (name === undefined) return 'put'
  if (name.expands && name.text !== '[' && name.text !== '[[') return 'moved'
  if (name.text.includes('/')) return 'put'
  const program = programOf(name)
  if (SETTERS.has(program)) return setsToldNames(program, rest) ? 'put' : 'moved'
  if (STEERING.has(program)) return 'moved'
  return STAYING.has(program) ? 'put' : 'unknown'
}

function setsToldNames(program: string, words: readonly ShellWord[]): boolean {
  if (program === 'printf') return words.every(({ text }) => !text.startsWith('-v'))
  return words.every(({ text }) => /^[-+]?\w+(?:\+?=|$)/u.test(text))
}
