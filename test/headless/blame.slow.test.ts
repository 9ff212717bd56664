import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LineWriter } from '../../shared/api/changes/blame.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { runAgent } from './support/agent-process.ts'
import { place } from './support/model-place.ts'

test('blame names the session, request, step and tool that wrote a line, or says that it was changed outside Countersign', async () => {
  const at = await place([
    calls(call('write_file', { file_path: 'a.txt', content: 'one\ntwo\nthree\n' })),
    say('Written.'),
    calls(call('shell', { command: "sed -i 's/two/TWO/' a.txt" })),
    say('Changed.'),
  ])
  const file = join(at.cwd, 'a.txt')
  await runAgent(['--approve', 'edits', 'Write three lines'], at)
  await runAgent(['--approve', 'all', 'Shout the second'], at)
  await writeFile(file, `${await readFile(file, 'utf8')}four\n`)

  const first = await runAgent(['blame', `${file}:1`], at)
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toContain('Written by step 1, write_file\nSession: Write three lines (')
  expect(first.stdout).toContain('Request: Write three lines\n')
  const second = JSON.parse((await runAgent(['blame', `${file}:2`, '--json'], at)).stdout) as {
    readonly text: string
    readonly writer: LineWriter
  }
  expect(second).toMatchObject({
    text: 'TWO',
    writer: { kind: 'step', title: 'Shout the second', command: "sed -i 's/two/TWO/' a.txt", request: 'Shout the second' },
  })
  expect((await runAgent(['blame', `${file}:4`], at)).stdout).toMatch(/Changed outside of Countersign, after \d{4}-/u)
  expect(await runAgent(['blame', `${file}:9`], at)).toMatchObject({ code: 1, stderr: expect.stringContaining('has 4 lines') })
  expect(await runAgent(['blame', file], at)).toMatchObject({ code: 2, stderr: expect.stringContaining('blame takes a file and a line') })
}, 180_000)
