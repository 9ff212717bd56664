import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPolicy } from '../../main/approval/policy.ts'
import { trackedIn } from '../../main/compose/session-rules.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { fitsIgnoreLine } from '../../main/environment/search/ignore/ignore-rule.ts'
import { withRules } from '../../main/rules/ruled-policy.ts'
import type { RuleDraft } from '../../shared/api/rules.ts'
import type { Effect } from '../../shared/session/effects.ts'

const DENY: RuleDraft = { answer: 'deny', when: { kind: 'path', pattern: 'secret/**' }, where: { kind: 'always' } }
let root = ''

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-denied-in-git-')))
  for (const folder of ['secret', 'src']) mkdirSync(join(root, folder))
  for (const file of ['secret/key', 'src/a.ts', 'b.txt']) writeFileSync(join(root, file), `${file}\n`)
  const git = (...args: readonly string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a', ...args], { cwd: root })
  git('init', '-q')
  git('add', 'secret/key', 'src/a.ts')
  git('commit', '-qm', 'first')
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

async function verdict(command: string, isTracked = true): Promise<string> {
  const env = createLocalExecutionEnvironment(root)
  const place = { root, home: null, fitsPath: fitsIgnoreLine }
  const tracked = isTracked ? trackedIn(env) : async () => ['src/a.ts']
  const policy = withRules(createPolicy(place), { ...place, rules: () => [DENY], tracked, onUse: () => {} })
  const effect: Effect = { kind: 'command', command, cwd: root, outside: false, env: {}, timeoutMs: 1, destructive: false }
  return policy.judge(await policy.look([effect]), 'full').kind
}

it.each<[string, string]>([
  ['git show HEAD:secret/key', 'deny'],
  ['git show :0:secret/key', 'deny'],
  ['cd secret && git show HEAD:./key', 'deny'],
  ['git log -p -- secret/key', 'deny'],
  ['git log -L1,2:secret/key', 'deny'],
  ['git diff HEAD~ -- secret/key', 'deny'],
  ['git cat-file -p HEAD:secret/key', 'deny'],
  ['git grep key -- secret/key', 'deny'],
  ['sudo git blame secret/key', 'deny'],
  ['git-show HEAD:secret/key', 'deny'],
  ['/usr/lib/git-core/git-show HEAD:secret/key', 'deny'],
  ['git log -p', 'ask'],
  ['git log --patch -3', 'ask'],
  ['git diff', 'ask'],
  ['git diff HEAD~ HEAD', 'ask'],
  ['git diff -- .', 'ask'],
  ['git diff -- secret', 'ask'],
  ["git diff -- ':!src'", 'ask'],
  ['git -C src diff', 'ask'],
  ['git show', 'ask'],
  ['git show HEAD', 'ask'],
  ['git show HEAD:sub/secret/key', 'allow'],
  ['git grep key', 'ask'],
  ['git grep -e key HEAD', 'ask'],
  ['git cat-file blob 0123abcd', 'ask'],
  ['git stash show -p', 'ask'],
  ['git format-patch -1', 'ask'],
  ['git archive HEAD', 'ask'],
  ['timeout 5 git diff | cat', 'ask'],
  ['git log', 'allow'],
  ['git log --stat', 'allow'],
  ['git diff --stat', 'allow'],
  ['git show --name-only HEAD', 'allow'],
  ['git diff src', 'allow'],
  ['git diff HEAD -- src/a.ts', 'allow'],
  ['git grep key src/a.ts', 'allow'],
  ['git grep -l key', 'allow'],
  ['git show HEAD:src/a.ts', 'allow'],
  ['git status', 'allow'],
])('%s, with a rule that denies secret/**, which git tracks: %s', async (command, expected) => {
  expect(await verdict(command)).toBe(expected)
})

it.each(['git log -p', 'git diff', 'git show', 'git grep key'])('%s passes if git tracks no denied file', async (command) => {
  expect(await verdict(command, false)).toBe('allow')
})
