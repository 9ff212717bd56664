/**
 * Patterns for lines about a failure in the output of test runners, compilers and interpreters. Used only for commands that failed.
 */
const FAILURES: readonly RegExp[] = [
  // node:test, vitest, mocha, jest, TAP, go test, cargo test, pytest
  /^\s*[✖✗✘✕×●] \S/u,
  /^\s*not ok\b/u,
  /^\s*(?:---\s)?FAIL(?:ED)?\b/u,
  /^test \S+ \.\.\. FAILED$/u,
  /^E {3}\S/u,
  // Python, Rust, Go, JavaScript and others
  /^Traceback \(most recent call last\)/u,
  /^thread '.*' .*panicked at/u,
  /^panic: /u,
  /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b/u,
  /^(?:fatal )?error(?:\[\w+\])?: /iu,
  // compilers and linters: a.c:3:5: error, a.ts(3,4): error, 3:5 error
  /^\S+[:(]\d+[:,]\d+\)?:? (?:fatal )?error\b/u,
  /^\s*\d+:\d+\s+error\b/u,
]

/** Codes that set the color of text in a terminal. */
const COLORS = /\u001B\[[\d;]*m/gu

/** Index of the first line about a failure. Null if there is none. */
export function firstFailure(lines: readonly string[]): number | null {
  const at = lines.findIndex((line) => {
    const plain = line.replaceAll(COLORS, '')
    return FAILURES.some((failure) => failure.test(plain))
  })
  return at < 0 ? null : at
}

/** Index where an excerpt of `count` lines begins: at the first failure if the command failed, otherwise so that the excerpt contains the end. */
export function excerptStart(lines: readonly string[], count: number, hasFailed: boolean): number {
  const last = Math.max(0, lines.length - count)
  return hasFailed ? Math.min(last, firstFailure(lines) ?? last) : last
}
