import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { readCommandLine } from '../../main/approval/command-line/read-command-line.ts'
import { createPathFacts } from '../../main/approval/path-facts.ts'
import { createPolicy } from '../../main/approval/policy.ts'
import { programsInFolder } from '../../main/approval/programs-in-folder.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import type { CommandEffect } from '../../shared/session/effects.ts'
import { openFamily } from '../subagents/support/family.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SYSTEM = '/usr/local/bin:/usr/bin:/bin'

function program(file: string, text = ''): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
}

interface Place {
  /** The project, in which an agent writes. */
  readonly root: string
  /** A folder outside the project. */
  readonly outside: string
}

/** Judges this line after `make`, with the PATH that `make` returns. */
async function judged(line: string, make: (place: Place) => string) {
  const base = temporaryFolder('programs-in-folder')
  const root = join(base, 'project')
  const outside = join(base, 'outside')
  for (const folder of [root, outside]) mkdirSync(folder)
  const path = make({ root, outside })
  const env = createLocalExecutionEnvironment(root)
  const disk = { env, place: createPathFacts({ env, root, home: base }) }
  const policy = createPolicy({ root, home: base, disk, commandPath: () => path })
  const effect: CommandEffect = { kind: 'command', command: line, cwd: root, outside: false, env: {}, timeoutMs: 1000, destructive: false }
  const effects = await policy.look([effect])
  return (['ask', 'accept-edits', 'auto'] as const).map((mode) => policy.judge(effects, mode).kind)
}

const ASKED = ['ask', 'ask', 'ask']
const ALLOWED = ['allow', 'allow', 'allow']

it('a program outside the project whose real place cannot be examined counts as one in the project', async () => {
  const base = temporaryFolder('programs-in-folder')
  const root = join(base, 'project')
  const bin = join(base, 'bin')
  mkdirSync(root)
  program(join(bin, 'cat'))
  const env = createLocalExecutionEnvironment(root)
  const place = createPathFacts({ env, root, home: base })
  const line = readCommandLine('cat a', { cwd: root, home: null })
  if (!line) throw new Error('The line is not understood.')
  expect(await programsInFolder(line, root, { env, place }, bin)).toEqual([])
  const failing = (path: string) => (path.startsWith(bin) ? Promise.reject(new Error('EIO')) : place(path))
  expect(await programsInFolder(line, root, { env, place: failing }, bin)).toEqual([join(bin, 'cat')])
})

describe('a command that only reads needs a signature if PATH finds its program in the project', () => {
  it.each<[string, string, (place: Place) => string]>([
    [
      'in a virtual environment',
      'cat a',
      ({ root }) => {
        program(join(root, '.venv/bin/cat'))
        return `${root}/.venv/bin:${SYSTEM}`
      },
    ],
    [
      'as the second program of a line',
      'ls && cat a | head -5',
      ({ root }) => {
        program(join(root, '.venv/bin/head'))
        return `${root}/.venv/bin:${SYSTEM}`
      },
    ],
    [
      'in a relative folder of PATH',
      'cat a',
      ({ root }) => {
        program(join(root, 'node_modules/.bin/cat'))
        return `./node_modules/.bin:${SYSTEM}`
      },
    ],
    [
      'in the working folder, through an empty entry of PATH',
      'git status',
      ({ root }) => {
        program(join(root, 'git'))
        return `:${SYSTEM}`
      },
    ],
    [
      'as a link in the project to a program of the system',
      'cat a',
      ({ root }) => {
        mkdirSync(join(root, 'bin'))
        symlinkSync('/usr/bin/cat', join(root, 'bin/cat'))
        return `${root}/bin:${SYSTEM}`
      },
    ],
    [
      'through a link outside the project',
      'cat a',
      ({ root, outside }) => {
        program(join(root, 'tools/cat'))
        symlinkSync(join(root, 'tools/cat'), join(outside, 'cat'))
        return `${outside}:${SYSTEM}`
      },
    ],
    [
      'through a linked folder outside the project',
      'cat a',
      ({ root, outside }) => {
        program(join(root, 'tools/cat'))
        symlinkSync(join(root, 'tools'), join(outside, 'bin'))
        return `${outside}/bin:${SYSTEM}`
      },
    ],
  ])('%s', async (_, line, make) => {
    expect(await judged(line, make)).toEqual(ASKED)
  })
})

describe('it needs no signature', () => {
  it.each<[string, (place: Place) => string]>([
    [
      'if the project has other programs',
      ({ root }) => {
        program(join(root, '.venv/bin/python'))
        return `${root}/.venv/bin:${SYSTEM}`
      },
    ],
    [
      'if the program of the system comes first',
      ({ root }) => {
        program(join(root, '.venv/bin/cat'))
        return `${SYSTEM}:${root}/.venv/bin`
      },
    ],
  ])('%s', async (_, make) => {
    expect(await judged('cat a', make)).toEqual(ALLOWED)
  })
})

it('a program of the project does not run unasked in place of the system’s program', { timeout: 60_000 }, async () => {
  let mark = ''
  const family = await openFamily(({ round }) => (round === 0 ? calls(call('bash', { command: 'cat a.txt' })) : say('Done.')), {
    mode: 'accept-edits',
    sandbox: 'off',
    prepare({ folder }) {
      mark = join(folder, 'planted')
      program(join(folder, '.venv/bin/cat'), `touch ${mark}`)
      writeFileSync(join(folder, 'a.txt'), 'a\n')
      vi.stubEnv('PATH', [join(folder, '.venv/bin'), process.env['PATH']].join(delimiter))
    },
  })
  void family.ask()
  await expect.poll(() => family.parent.record.state().run, { timeout: 30_000 }).toMatch(/AWAITING_INPUT|IDLE/)
  expect([family.parent.record.state().run, existsSync(mark)]).toEqual(['AWAITING_INPUT', false])
})
