import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rowsOfEffects } from '../../main/headless/asking/effect-rows.ts'
import { searchableTexts } from '../../main/store/log/searchable-texts.ts'
import { changedFiles } from '../../shared/session/fold/changed-files.ts'
import { isGitRecord } from '../../shared/session/git-change.ts'
import { completePlan } from '../../shared/workflow/work-plan.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { calls, say } from '../support/scripted-model.ts'
import { answerCall, type Rig, waiting } from './support/rig.ts'
import { only, rigFor, shell } from './support/scripted-rig.ts'

const LINE = 'git add add.js && git commit -qm "Add add"'
const IDENTITY = ['-c', 'user.name=Somebody', '-c', 'user.email=some@body']

/** A session with a signed plan whose agent commits a file. */
async function committing(commands: readonly string[]): Promise<Rig> {
  const { rig } = await rigFor([calls(shell(LINE)), say('Done.')], { inCopies: true })
  const git = (...args: readonly string[]) => execFileSync('git', [...IDENTITY, ...args], { cwd: rig.folder })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Somebody')
  git('config', 'user.email', 'some@body')
  git('commit', '-q', '--allow-empty', '-m', 'first')
  await mkdir(join(rig.folder, 'src'))
  await writeFile(join(rig.folder, 'add.js'), 'exports.add = (a, b) => a + b\n')
  const steps = [{ title: 'Commit', files: ['src/other.js'], commands: [...commands] }]
  rig.session.submit({ text: 'Commit add', plan: { plan: completePlan({ title: 'Commit', steps }), condition: null } })
  return rig
}

const records = (all: readonly { readonly shown: string }[]) => all.filter(({ shown }) => isGitRecord(shown))

describe.skipIf(hasNoCopies)('a commit under a signed plan is one thing', { timeout: 60_000 }, () => {
  test('if the plan lists it, nothing is outside the plan', async () => {
    const rig = await committing(['git add add.js', 'git commit'])
    const [call] = await waiting(rig.session)
    expect(call?.effects.length).toBeGreaterThan(5)
    expect(call?.approval?.reason).not.toContain('The plan does not include')
    answerCall(rig.session, call)
    await rig.session.idle()
    expect(rig.session.state().workflow).toMatchObject({ deviations: [], steps: [{ touched: ['git add add.js', 'git commit'] }] })
  })

  test('if the plan does not list it, the command is the only deviation, and requests, changes and the search show no files of git', async () => {
    const rig = await committing([])
    const [call] = await waiting(rig.session)
    expect(call?.approval?.reason).toMatch(/The plan does not include this command\.$/u)
    const rows = await rowsOfEffects(call?.effects ?? [], { ...rig.store.blobs, file: () => null }, null)
    expect(rows.join('\n')).not.toContain('.git/')
    expect(rows.at(-1)).toContain('change the repository')
    answerCall(rig.session, call)
    await rig.session.idle()
    const { workflow, items } = rig.replay()
    expect(workflow?.deviations).toEqual([{ call: 1, words: LINE, at: null }])
    const done = items.find((item) => item.kind === 'call')
    expect([done?.files, done?.folders ?? []]).toEqual([[], []])
    expect(changedFiles(items)).toEqual([])
    const [changed] = only(rig, 'FILES_CHANGED')
    expect(records(changed?.files ?? []).length).toBeGreaterThan(5)
    expect(changed && searchableTexts(changed, { changedLines: () => [], requested: () => [] })).toEqual([])
  })
})
