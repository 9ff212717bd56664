import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseRunFlags } from '../../main/headless/start/flags.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { faulty } from '../support/scripted-faults.ts'
import { runAgent } from './support/agent-process.ts'
import { place } from './support/model-place.ts'

const write = (path: string, content: string) => calls(call('write_file', { file_path: path, content }))

/** Runs three steps, each of which writes a file. */
async function threeSteps(...more: readonly ReturnType<typeof say>[]) {
  const at = await place([write('a.txt', 'a'), write('b.txt', 'b'), write('c.txt', 'c'), say('Written.'), ...more])
  await runAgent(['--approve', 'edits', 'write three files'], at)
  const files = () => ['a.txt', 'b.txt', 'c.txt'].filter((name) => existsSync(join(at.cwd, name)))
  return { at, files, read: (name: string) => readFile(join(at.cwd, name), 'utf8') }
}

const told = ({ stdout }: { readonly stdout: string }): unknown => JSON.parse(stdout.trim().split('\n').at(-1) ?? '')

// Each test starts several processes, and a busy machine needs some seconds for each.
describe('undo from the command line', { timeout: 120_000 }, () => {
  test('one step is undone, later work is kept, and a preview changes nothing', async () => {
    const { at, files } = await threeSteps()
    const preview = await runAgent(['undo', '2', '--preview'], at)
    expect([preview.code, files()]).toEqual([0, ['a.txt', 'b.txt', 'c.txt']])
    expect(told(preview)).toMatchObject({
      outcome: 'preview',
      made: { created: 1, modified: 0 },
      files: [{ kind: 'deleted', path: 'b.txt' }],
    })
    const words = await runAgent(['undo', '2', '--preview', '--no-json'], at)
    expect(words.stdout).toBe('1 file created, 0 modified.\nUndoing step 2 would do this:\n  deleted   b.txt\n')
    const undone = await runAgent(['undo', '2'], at)
    expect([undone.code, undone.stderr, files()]).toEqual([0, '', ['a.txt', 'c.txt']])
    const again = await runAgent(['redo', 'last'], at)
    expect([again.code, files()]).toEqual([0, ['a.txt', 'b.txt', 'c.txt']])
  })

  test('a file that the user changed is skipped and the exit code is 1, unless --anyway is given', async () => {
    const { at, files, read } = await threeSteps()
    await writeFile(join(at.cwd, 'c.txt'), 'mine')
    const first = await runAgent(['rollback', '1'], at)
    expect([first.code, files(), await read('c.txt')]).toEqual([1, ['a.txt', 'c.txt'], 'mine'])
    expect(told(first)).toMatchObject({
      outcome: 'done',
      files: [
        { kind: 'deleted', path: 'b.txt' },
        { kind: 'skipped', path: 'c.txt', why: 'changed-since' },
      ],
    })
    const words = await runAgent(['rollback', '1', '--no-json', '--preview'], at)
    expect(words.stdout).toContain('skipped   c.txt: you changed it since')
    const second = await runAgent(['rollback', '1', '--anyway'], at)
    expect([second.code, files()]).toEqual([0, ['a.txt']])
  })

  test('if every file is left out, each is listed with the reason, and nothing changes', async () => {
    const { at, read } = await threeSteps()
    await writeFile(join(at.cwd, 'c.txt'), 'mine')
    const outcome = await runAgent(['undo', '3'], at)
    expect([outcome.code, await read('c.txt'), outcome.stderr]).toEqual([1, 'mine', expect.stringContaining('no file would change')])
    expect(told(outcome)).toMatchObject({ outcome: 'refused', files: [{ kind: 'conflict', path: 'c.txt', why: expect.any(String) }] })
  })

  test('a data folder inside the project is never part of a step or an undo', async () => {
    const command = (text: string) => calls(call('shell', { command: `echo ${text} > a.txt` }))
    const outer = await place([command('one'), command('two'), say('Done.')])
    const at = { ...outer, data: join(outer.cwd, 'data') }
    const run = await runAgent(['--approve', 'all', '--sandbox', 'off', '--json', 'Write'], at)
    const paths = [...run.stdout.matchAll(/"shown":"([^"]+)"/gu)].map(([, path]) => path)
    expect([run.code, new Set(paths)]).toEqual([0, new Set(['a.txt'])])
    const back = await runAgent(['rollback', '0'], at)
    expect([back.code, back.stderr, existsSync(join(at.cwd, 'a.txt'))]).toEqual([0, '', false])
    expect(back.stdout).toContain('a.txt')
    expect(back.stdout).not.toContain('countersign.db')
  })

  test('after a retry in the middle of a turn, an undo goes back to before the turn', async () => {
    const at = await place([
      write('a.txt', 'one'),
      faulty(say(''), { kind: 'status', status: 529 }),
      write('b.txt', 'two'),
      faulty(say(''), { kind: 'status', status: 429, retryAfter: '0' }),
      calls(call('edit_file', { file_path: 'mine.txt', old_string: 'mine', new_string: 'theirs' })),
      say('Done.'),
    ])
    await writeFile(join(at.cwd, 'mine.txt'), 'mine\n')
    expect((await runAgent(['--approve', 'edits', 'Write'], at)).code).toBe(0)
    expect(await readFile(join(at.cwd, 'mine.txt'), 'utf8')).toBe('theirs\n')
    expect((await runAgent(['rollback', '0'], at)).code).toBe(0)
    expect(['a.txt', 'b.txt'].filter((name) => existsSync(join(at.cwd, name)))).toEqual([])
    expect(await readFile(join(at.cwd, 'mine.txt'), 'utf8')).toBe('mine\n')
  })

  test('the conversation is rewound and restored together with the files', async () => {
    const { at, files } = await threeSteps(say('Next.'), say('Last.'))
    expect((await runAgent(['rollback', '1', '--conversation'], at)).code).toBe(0)
    expect(files()).toEqual(['a.txt'])
    await runAgent(['--continue', 'and now?'], at)
    const body = Buffer.from((await at.model.request(4)).bytes).toString()
    expect(body).toMatch(/write three files.*a\.txt.*and now\?/su)
    expect(body).not.toMatch(/b\.txt|Written\./u)
    expect((await runAgent(['redo', 'last'], at)).code).toBe(0)
    expect(files()).toEqual(['a.txt', 'b.txt', 'c.txt'])
    await runAgent(['--continue', 'go on'], at)
    const last = Buffer.from((await at.model.request(5)).bytes).toString()
    expect(last).toMatch(/b\.txt.*Written\..*go on/su)
    expect(last).not.toContain('and now?')
  })

  test('an impossible undo or redo is reported with exit code 1, and the readable output of a rollback lists each file', async () => {
    const { at } = await threeSteps()
    for (const [args, words] of [
      [['redo', 'last'], 'There is nothing to redo.'],
      [['undo', '9'], 'This session has no step 9.'],
    ] as const) {
      const outcome = await runAgent(args, at)
      expect([outcome.code, outcome.stderr.split('\n')[0]]).toEqual([1, words])
    }
    const { stdout } = await runAgent(['rollback', '0', '--no-json'], at)
    expect(stdout.split('\n')).toEqual([
      '3 files created, 0 modified.',
      'Went back to before the first step.',
      '  deleted   a.txt',
      '  deleted   b.txt',
      '  deleted   c.txt',
      '',
    ])
  })
})

describe('the flags of undo, rollback and redo', () => {
  const parsed = (...argv: readonly string[]) => {
    const flags = parseRunFlags(argv, '/w')
    return flags.ok ? flags.value.undo : flags.failure.message
  }
  test.each([
    [['undo', '3'], { what: { kind: 'step', step: 3 } }],
    [['rollback', '0', '--conversation'], { what: { kind: 'to', step: 0 }, conversation: true }],
    [['redo', 'last', '--anyway'], { what: { kind: 'redo' }, anyway: true }],
  ])('%j', (argv, undo) => {
    expect(parsed(...argv)).toMatchObject(undo)
  })
  test.each([
    [['undo'], '"undo" is a command: undo STEP. A task needs more than this word.'],
    [['undo the last change'], null],
    [['undo', 'it'], 'undo takes the number of a step, not "it".'],
    [['undo', '0'], 'undo takes the number of a step, not "0".'],
    [['undo', '2', '--conversation'], '--conversation only works with rollback: undoing one step keeps later work.'],
    [['fix it', '--anyway'], '--conversation, --anyway and --preview only work with undo, rollback and redo.'],
    [['undo', '2', '--rehearse'], 'undo, rollback and redo accept only --resume, --continue, --conversation, --anyway and --preview.'],
  ])('%j', (argv, outcome) => {
    expect(parsed(...argv)).toEqual(outcome)
  })
})
