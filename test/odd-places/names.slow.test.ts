import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runAgent } from '../headless/support/agent-process.ts'
import { place } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { checkStore } from '../kills/kill-rounds.ts'

/** Returns all files of a folder with their content. In the names, each byte is one Latin-1 character. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { encoding: 'buffer' }).toSorted((a, b) => a.compare(b))
  return Object.fromEntries(
    names.map((name) => [name.toString('latin1'), readFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), 'utf8')]),
  )
}

const shell = (command: string) => calls(call('shell', { command }))
/** Returns a bash word that stands for exactly this file name. */
const quoted = (name: string): string => `$'./${[...Buffer.from(name)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`
const inLatin1 = (name: string): string => Buffer.from(name).toString('latin1')
const RUN = ['--approve', 'all', '--sandbox', 'off', 'Begin'] as const

test.skipIf(process.platform === 'win32').each([
  ['with a newline', 'line\nbreak'],
  ['that contains quotes, spaces and control characters', ` '"\\ \t\u0001\u007f `],
  ['that looks like an option', '--help'],
  ['that looks like a URL escape', '%2e%2e%2f'],
  ['of 255 bytes', 'é'.repeat(127) + 'x'],
  ['in two Unicode forms at once', 'é'.normalize('NFD')],
])('a file name %s: a command changes it, and the rollback restores its bytes', async (_, name) => {
  const at = await place([shell(`printf changed > ${quoted(name)}; printf new > é`), say('Done.')])
  writeFileSync(join(at.cwd, name), 'mine')
  const before = filesIn(at.cwd)
  const run = await runAgent(RUN, at)
  expect([run.code, run.stderr]).toEqual([0, ''])
  expect(filesIn(at.cwd)).toEqual({ ...before, [inLatin1(name)]: 'changed', [inLatin1('é')]: 'new' })
  const back = await runAgent(['rollback', '0'], at)
  expect([back.code, filesIn(at.cwd)]).toEqual([0, before])
  await checkStore(at.data, { at: 0, before: '' })
})

test.skipIf(process.platform !== 'linux')(
  'a rollback reports files whose names are not UTF-8, and changes neither them nor files whose names look the same',
  async () => {
    const at = await place([shell(`printf changed > $'bad\\xff'; printf changed > $'bad\\xfe'; printf changed > a.txt`), say('Done.')])
    const bad = (byte: number): Buffer => Buffer.concat([Buffer.from(`${at.cwd}/bad`), Buffer.from([byte])])
    writeFileSync(bad(0xff), 'mine')
    writeFileSync(join(at.cwd, 'bad\ufffd'), 'same look')
    writeFileSync(join(at.cwd, 'a.txt'), 'a')
    const run = await runAgent(RUN, at)
    expect([run.code, run.stderr]).toEqual([0, ''])
    const after = { 'a.txt': 'changed', 'bad\u00fe': 'changed', 'bad\u00ff': 'changed', [inLatin1('bad\ufffd')]: 'same look' }
    expect(filesIn(at.cwd)).toEqual(after)
    const back = await runAgent(['rollback', '0'], at)
    expect(filesIn(at.cwd)).toEqual({ ...after, 'a.txt': 'a' })
    expect(`${back.stdout}${back.stderr}`).toMatch(/not UTF-8: bad.*xfe, bad.*xff/u)
    await checkStore(at.data, { at: 0, before: '' })
  },
)

test('a file name that is too long is reported as an error, and the run continues', async () => {
  const at = await place([
    calls(
      call('write_file', { file_path: 'x'.repeat(256), content: 'x' }),
      call('write_file', { file_path: `${'d/'.repeat(2_100)}f`, content: 'x' }),
    ),
    calls(call('write_file', { file_path: 'a.txt', content: 'a' })),
    say('Done.'),
  ])
  mkdirSync(join(at.cwd, 'sub'))
  const run = await runAgent(RUN, at)
  expect([run.code, run.stderr]).toEqual([0, ''])
  const ends = run.events.flatMap((event) => (event.kind === 'TOOL_CALL_END' ? [[event.isError, event.output]] : []))
  expect(ends).toEqual([
    [true, expect.stringContaining('too long')],
    [true, expect.stringContaining('too long')],
    [false, expect.any(String)],
  ])
  expect(readdirSync(at.cwd)).toEqual(['a.txt', 'sub'])
})
