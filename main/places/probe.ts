import type { RunThere } from './run-there.ts'

/** What was found at a place. It may be a lie of that machine, so nothing on this computer follows from it. */
export interface FoundThere {
  /** As `uname` says: `Linux`, `Darwin`. */
  readonly system: string
  /** As `uname -m` says. */
  readonly machine: string
  readonly release: string
  readonly home: string
  /** The PATH of the user's login shell. */
  readonly path: string
  /** A Node that is new enough. Null if there is none. */
  readonly node: { readonly file: string; readonly version: string } | null
  /** The version of glibc. Null if the system has another C library. */
  readonly glibc: string | null
  /** The programs that matter for the work there. */
  readonly programs: ReadonlySet<string>
  /** Our parts that are installed already. */
  readonly installed: ReadonlySet<string>
}

const MARK = 'countersign-probe'
const SOUGHT = ['git', 'bash', 'bwrap', 'socat', 'tar', 'gzip'] as const
/** The oldest Node that has what our code uses. */
const NODE_MAJOR = 22
/** Time in seconds for the start files of the login shell. */
const SHELL_S = 5

/** The line of shell that looks around. Start files of the shell may print anything before the mark. */
export function probeLine(): string {
  // What a start file leaves running would keep a pipe open, so the PATH goes through a file.
  const login = `"\${SHELL:-/bin/sh}" -lic 'printf "\\n${MARK}-path=%s\\n" "$PATH"' </dev/null >"$f" 2>/dev/null`
  return [
    'f=$(mktemp) || f=/dev/null',
    `{ ${login} & a=$!; { sleep ${SHELL_S}; kill -9 $a; } >/dev/null 2>&1 & b=$!; wait $a; kill $b; } 2>/dev/null`,
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
    `for t in ${SOUGHT.join(' ')}; do if command -v $t >/dev/null 2>&1; then say program $t; fi; done`,
    `for t in "$HOME/${CACHE}"/*/complete; do if [ -e "$t" ]; then t="\${t%/complete}"; say installed "\${t##*/}"; fi; done`,
  ].join('; ')
}

/** The folder of our parts, below the home folder there. */
export const CACHE = '.cache/countersign'

/** Null if the answer is none of ours. */
export function foundIn({ stdout }: Pick<RunThere, 'stdout'>): FoundThere | null {
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
  const isNew = version !== null && Number(version[1]) >= NODE_MAJOR
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
