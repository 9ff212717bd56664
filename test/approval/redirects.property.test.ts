import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPathFacts } from '../../main/approval/path-facts.ts'
import { createPolicy } from '../../main/approval/policy.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import type { Policy } from '../../main/agent/ports/policy.ts'

let base = ''
let root = ''
let policy: Policy

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-redirects-')))
  root = join(base, 'ws')
  const env = createLocalExecutionEnvironment(root)
  const home = join(base, 'home')
  policy = createPolicy({ root, home, disk: { env, place: createPathFacts({ env, root, home }) } })
  lay()
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

/** Creates the folder `ws`, in which files may be written, and the folders `out` and `home`, in which no file may be written. */
function lay(): void {
  for (const name of readdirSync(base)) rmSync(join(base, name), { recursive: true, force: true })
  for (const folder of ['ws/.git/hooks', 'ws/sub/deep', 'out/deep', 'home']) mkdirSync(join(base, folder), { recursive: true })
  for (const file of ['ws/.git/config', 'ws/AGENTS.md', 'ws/in', 'ws/sub/in', 'out/x', 'out/config', 'home/x'])
    writeFileSync(join(base, file), 'kept\n')
  symlinkSync('../out/deep', join(root, 'far'))
  symlinkSync('.git/hooks', join(root, 'g'))
  symlinkSync('../out/new', join(root, 'dangling'))
  symlinkSync('AGENTS.md', join(root, 'told'))
  symlinkSync('sub/deep', join(root, 'near'))
}

/** Returns everything that no command may write without approval: files outside the folder, git's data, and control files. */
function guarded(folder = base): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return guarded(path)
    const isFree = path.startsWith(`${root}/`) && !path.includes('/.git/') && !path.endsWith('/AGENTS.md')
    if (isFree) return []
    return [`${path} ${lstatSync(path).isSymbolicLink() ? 'link' : readFileSync(path, 'utf8')}`]
  })
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const PLACES = [
  'out.txt',
  'sub/out.txt',
  'near/out.txt',
  './/sub/../out.txt',
  '.git/config',
  '.git/new',
  './././.git//config',
  'AGENTS.md',
  'sub/AGENTS.md',
  'told',
  '../out/x',
  'sub/../../out/x',
  'far/x',
  'far/../x',
  'g/pre-commit',
  'g/../config',
  'near/../../../out/x',
  'dangling',
  '@/out/x',
  '@/ws/out.txt',
  '@/ws/../out/x',
  '/dev/..@/out/x',
  '/tmp/..@/out/x',
  '/dev/null',
]
const SPELLINGS = [
  '.gi*/config',
  '.gi?/con[f]ig',
  '{.git/config,y}',
  'AGENT?.md',
  'f*r/x',
  '$f',
  '"$f"',
  '${f}',
  '~/x',
  '$HOME/x',
  '${HOME%e}e/x',
  "'.g'it/config",
  String.raw`.g\it/config`,
  String.raw`$'.\x67it/config'`,
  '"$(echo .git)/config"',
  '`echo .git`/config',
  '1',
  '&1',
  '"a b"',
]
const OPERATORS = ['>', '>>', '>|', '1<>', '&>', '&>>', '>&', '2>', '2>>', '2>&', '3>', '{fd}>']
const target = fc.oneof(
  fc.constantFrom(...PLACES),
  fc.constantFrom(...SPELLINGS),
  fc.constantFrom(...PLACES.slice(0, 20)).map((text) => `"${text}"`),
)
const redirect = fc
  .tuple(fc.constantFrom(...OPERATORS), fc.constantFrom('', ' '), target)
  .map(([operator, gap, word]) => `echo new ${operator}${gap}${word}`)
const PROGRAMS = [
  'tee T < in',
  'tee -a T < in',
  'cp in T',
  'cp -t T in',
  'cp --target-directory=T in',
  'cp AGENTS.md T',
  'dd if=in of=T',
  'mv in T',
  'ln -f in T',
  'install in T',
  'sort -oT in',
  'sort --output=T in',
  'sed -i s/k/n/ T',
  'sed -n "w T" in',
  'touch T',
  'find in -exec cp {} T \\;',
  'echo in | xargs -I{} cp {} T',
  'env -C sub tee T < in',
  'find . -maxdepth 1 -name in -fprint T',
  'tar -cf T in',
]
/** The target is never a device: a program that replaced a device file would break the machine if the tests run as root. */
const file = target.filter((text) => !text.includes('/dev/null'))
const program = fc.tuple(fc.constantFrom(...PROGRAMS), file).map(([line, word]) => line.replaceAll('T', () => word))
const BEFORE = [
  '',
  '',
  '',
  'f=.git/config; ',
  'f=../out/x; ',
  'cd sub && ',
  'cd .git; ',
  'cd g && ',
  'cd far; ',
  'cd nowhere || ',
  'cd .. ; ',
  'true | ',
]
const AROUND: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line,
  (line) => `bash -c ${quoted(line)}`,
  (line) => `bash -ec ${quoted(line)}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `(${line})`,
  (line) => `{ ${line}; }`,
  (line) => `if true; then ${line}; fi`,
  (line) => `echo $(${line})`,
  (line) => `echo "$(${line})"`,
  (line) => `cat <(${line})`,
  (line) => `case a in a) ${line};; esac`,
  (line) => `f() { ${line}; }; f`,
  (line) => `bash <<< ${quoted(line)}`,
  (line) => `bash <<'EOF'\n${line}\nEOF`,
  (line) => `echo ${quoted(line)} | bash`,
  (line) => `env -C sub bash -c ${quoted(line)}`,
  (line) => `for f in .git/config; do ${line}; done`,
  (line) => `[[ b > a ]] && ${line}`,
  (line) => `timeout --signal KILL 5 bash -c ${quoted(line)}`,
  (line) => `${line} | cat`,
]
const line = fc
  .tuple(fc.oneof(redirect, program), fc.constantFrom(...BEFORE), fc.constantFrom(...AROUND))
  .map(([command, before, around]) => around(before + command))

it('bash writes only inside the folder, and to no control file, when it runs a command line that full mode allows without approval', async () => {
  let allowed = 0
  await fc.assert(
    fc.asyncProperty(line, async (pattern) => {
      const command = pattern.replaceAll('@', base)
      const effects = await policy.look([
        { kind: 'command', command, cwd: root, outside: false, env: {}, timeoutMs: 1000, destructive: false },
      ])
      if (policy.judge(effects, 'full').kind !== 'allow') return
      allowed++
      const before = guarded()
      try {
        execFileSync('/bin/bash', ['-c', command], {
          cwd: root,
          stdio: 'ignore',
          env: { PATH: '/usr/bin:/bin', HOME: join(base, 'home') },
          timeout: 10_000,
        })
      } catch {
        // The exit code of the line does not matter.
      }
      const after = guarded()
      lay()
      expect(after).toEqual(before)
    }),
    { numRuns: Number(process.env['REDIRECT_RUNS'] ?? 400) },
  )
  expect(allowed).toBeGreaterThan(20)
}, 60_000)
