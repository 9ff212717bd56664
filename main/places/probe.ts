import type { RemoteResult } from './run-remote.ts'

/** What a machine says about itself. The machine may lie, so nothing on this computer may depend on it. */
export interface ProbeResult {
  /** The output of `uname -s`: `Linux`, `Darwin`. */
  readonly system: string
  /** The output of `uname -m`. */
  readonly machine: string
  readonly release: string
  readonly home: string
  /** The PATH of the user's login shell. */
  readonly path: string
  /** A Node that is new enough. Null if none is installed. */
  readonly node: { readonly file: string; readonly version: string } | null
  /** The version of glibc. Null if the system has another C library. */
  readonly glibc: string | null
  /** Which of `WANTED` are installed. */
  readonly programs: ReadonlySet<string>
  /** The names of our installed parts. */
  readonly installed: ReadonlySet<string>
}

const MARK = 'countersign-probe'
/** The programs that the host process and the agent use. */
const WANTED = ['git', 'bash', 'bwrap', 'socat', 'tar', 'gzip'] as const
/** The oldest major version of Node that runs our code. */
const MIN_NODE_MAJOR = 22
/** Time limit in seconds for the start files of the login shell. */
const LOGIN_SHELL_S = 5

/** A shell line that prints the facts about a machine after a mark. Start files of the shell may print anything before the mark. */
export function probeLine(): string {
  // Background programs of a start file would keep a pipe open, so the PATH goes through a file.
  const login = `"\${SHELL:-/bin/sh}" -lic 'printf "\\n${MARK}-path=%s\\n" "$PATH"' </dev/null >"$f" 2>/dev/null`
  return [
    'f=$(mktemp) || f=/dev/null',
    `{ ${login} & a=$!; { sleep ${LOGIN_SHELL_S}; kill -9 $a; } >/dev/null 2>&1 & b=$!; wait $a; kill $b; } 2>/dev/null`,
    `p=$(sed -n 's/^${MARK}-path=//p' "$f" | tail -n 1)`,
    '[ "$f" = /dev/null ] || rm -f "$f"',
    'PATH="${p:-$PATH}"',
    'export PATH',
    `printf '\\n${MARK}\\n'`,
    `say() { printf '%s=%s\\n' "$1" "$2"; }`,
    'say system "$(uname -s)"',
    'say machine "$(uname -m)"',
    'say release "$(uname -r)"',
    'say home "$HOME"',
    'say path "$PATH"',
    'n=$(command -v node)',
    'say node "$n"',
    'if [ -n "$n" ]; then say version "$(NODE_OPTIONS= "$n" --version 2>/dev/null)"; fi',
    'say glibc "$(getconf GNU_LIBC_VERSION 2>/dev/null)"',
    `for t in ${WANTED.join(' ')}; do if command -v $t >/dev/null 2>&1; then say program $t; fi; done`,
    `for t in "$HOME/${CACHE}"/*/complete; do if [ -e "$t" ]; then t="\${t%/complete}"; say installed "\${t##*/}"; fi; done`,
  ].join('; ')
}

/** The folder of our parts, below the home folder there. */
export const CACHE = '.cache/countersign'

/** Reads the output of `probeLine`. Null if it is not complete. */
export function foundIn({ stdout }: Pick<RemoteResult, 'stdout'>): ProbeResult | null {
  const at = stdout.lastIndexOf(`\n${MARK}\n`)
  if (at === -1) return null
  const lines = stdout
    .slice(at + MARK.length + 2)
    .split('\n')
    .map((line) => /^([a-z]+)=(.*)$/u.exec(line.trimEnd()))
  const all = (name: string): readonly string[] => lines.flatMap((line) => (line?.[1] === name && line[2] ? [line[2]] : []))
  const one = (name: string): string => all(name)[0] ?? ''
  const home = one('home')
  if (!home.startsWith('/') || one('system') === '') return null
  const version = /^v(\d+)\.\d+\.\d+/u.exec(one('version'))
  const isNew = version !== null && Number(version[1]) >= MIN_NODE_MAJOR
  return {
    system: one('system'),
    machine: one('machine'),
    release: one('release'),
    home,
    path: one('path'),
    node: isNew && one('node').startsWith('/') ? { file: one('node'), version: version[0] } : null,
    glibc: /^glibc (\d+\.\d+)/u.exec(one('glibc'))?.[1] ?? null,
    programs: new Set(all('program')),
    installed: new Set(all('installed')),
  }
}
