import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { call, calls, say, startScriptedModel } from '../support/scripted-model.ts'
import { countTrips } from './support/count-trips.ts'
import { openFarDesk } from './support/far-desk.ts'
import { buildGuest } from './support/ssh-server.ts'
import { testMachine } from './support/wire.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

beforeAll(buildGuest, 120_000)

/** Long enough that calls which do not wait for each other are on their way at the same time. */
const DELAY_MS = 15

/** A project as people have it: a repository with a commit, instructions, hooks that do not run, commands and rules. */
function project(base: string): string {
  const folder = join(base, 'project')
  const write = (name: string, text: string): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  write('a.txt', 'hello\n')
  write('AGENTS.md', 'Be brief.\n')
  write('CLAUDE.md', 'Be brief.\n')
  write('.claude/settings.json', '{}\n')
  write('.claude/commands/fix.md', 'Fix it.\n')
  write('.claude/rules/style.md', 'Short lines.\n')
  write('.claude/agents/reader.md', '---\nname: reader\ndescription: Reads\n---\nRead.\n')
  write('.countersign/memory.md', 'The tests are slow.\n')
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@example.org', ...args], { cwd: folder })
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  return folder
}

const STEPS = [
  ['read', calls(call('read', { file_path: 'a.txt' }))],
  ['edit', calls(call('edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hello there' }))],
  ['command that changes a file', calls(call('shell', { command: 'echo made > made.txt; cat a.txt' }))],
  ['command that only reads', calls(call('shell', { command: 'cat a.txt' }))],
  ['search', calls(call('grep', { pattern: 'hello' }))],
] as const

const MOST = { opening: 4, 'first request': 3, read: 1, edit: 3, 'command that only reads': 3, search: 2 }

test.each([
  ['for real', 'full', 3],
  // Three until its changes can be signed, and two to apply them.
  ['in a copy', 'auto', 5],
] as const)(
  'opening takes at most 4 round trips, an edit and a command at most 3, a command that changes files %s (%s) at most %i',
  async (_, mode, changing) => {
    const most = { ...MOST, 'command that changes a file': changing }
    const base = temporaryFolder('trips')
    const counter = countTrips()
    const machine = testMachine(base, (connected) => ({ ...counter.connection(connected), delayMs: () => DELAY_MS }))
    const folder = project(base)
    const taken: [string, ReturnType<typeof counter.taken>][] = []
    const model = await startScriptedModel(({ index }) => {
      taken.push([index === 0 ? 'first request' : (STEPS[index - 1]?.[0] ?? ''), counter.taken()])
      return STEPS[index]?.[1] ?? say('Done.')
    })
    onTestFinished(() => model.close())
    const desk = await openFarDesk({ base, folder: `ssh://box${folder}`, modelUrl: model.url, connectBy: machine.connectBy })
    onTestFinished(() => desk.close())
    counter.taken()
    const sessionId = await desk.session(mode)
    taken.push(['opening', counter.taken()])
    await desk.turn(sessionId)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('hello there\n')
    expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('made\n')
    const tooMany = taken.filter(([what, { trips }]) => trips > most[what as keyof typeof most] || trips === 0)
    expect(tooMany).toEqual([])
  },
)
