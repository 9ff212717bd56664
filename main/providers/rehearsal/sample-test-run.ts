import type { NodeForTests } from './node-for-sample-tests.ts'

/** A command that runs the sample's tests with the Node that was found. */
export function testCommand({ execPath, isElectron }: NodeForTests): string {
  const program = /^[\w@%+=:,./-]+$/.test(execPath) ? execPath : `"${execPath}"`
  const command = `${program} --test --test-reporter=spec`
  if (!isElectron) return command
  // Electron is only used on Windows, where commands run in cmd.
  return `set ELECTRON_RUN_AS_NODE=1&& ${command}`
}

export type TestRun =
  /** `passed` is the number of tests; null if the output does not contain it. */
  | { readonly kind: 'passed'; readonly passed: number | null }
  | { readonly kind: 'failed'; readonly names: readonly string[] }
  /** The program ran no test. */
  | { readonly kind: 'broken'; readonly words: string }

/** Reads the command's output. */
export function readTestRun(output: string): TestRun {
  const code = /^Exit code: (\d+)/m.exec(output)?.[1]
  const tests = numberOf('tests', output)
  if (code === '0' && tests !== 0) return { kind: 'passed', passed: numberOf('pass', output) }
  const marked = [...output.matchAll(/^\s*✖ (.+?)(?: \(\d[\d.]*ms\))?\s*$/gm)].flatMap(([, name]) => (name ? [name] : []))
  const names = [...new Set(marked)].filter((name) => !/^failing tests:?$/.test(name) && !name.endsWith('.test.js'))
  return names.length > 0 ? { kind: 'failed', names } : { kind: 'broken', words: output.trim().split('\n').at(0)?.slice(0, 200) ?? '' }
}

function numberOf(what: string, output: string): number | null {
  const found = new RegExp(`^\\s*(?:ℹ|#) ${what} (\\d+)\\s*$`, 'm').exec(output)?.[1]
  return found === undefined ? null : Number(found)
}
