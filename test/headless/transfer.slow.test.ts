import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, calls, say } from '../support/scripted-model.ts'
import { runAgent } from './support/agent-process.ts'
import { place } from './support/model-place.ts'

test('a session is exported, imported into the same history, and exported again with the same content', async () => {
  const at = await place([calls(call('write_file', { file_path: 'a.txt', content: 'x\n' })), say('Written.')])
  await runAgent(['--approve', 'edits', 'write a file'], at)
  const json = await runAgent(['export', 'last', '--format', 'json'], at)
  expect([json.code, json.stderr]).toEqual([0, ''])
  const path = join(at.cwd, 'session.jsonl')
  await writeFile(path, json.stdout)
  const preview = await runAgent(['import', path, '--preview'], at)
  expect(JSON.parse(preview.stdout)).toMatchObject({ sessionId: null, source: 'countersign', messages: 1, calls: 1, unknown: 0 })
  const words = await runAgent(['import', path, '--preview', '--no-json'], at)
  expect(words.stdout).toMatch(/^Would import “write a file” of Countersign: 1 message, 2 answers, 1 step\.\n$/u)
  const { sessionId } = JSON.parse((await runAgent(['import', path], at)).stdout) as { readonly sessionId: string }
  const markdown = await runAgent(['export', sessionId], at)
  expect(markdown.stdout).toContain(`- Session: ${sessionId}\n`)
  expect(markdown.stdout).toMatch(/write a file.*```diff.*\+x.*Written\..*Imported from Countersign/su)
}, 120_000)

test('a wrong session, format or file is refused with a reason', async () => {
  const at = await place([])
  expect(await runAgent(['export', 's_none'], at)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no session s_none\.\n.*\nFind its id with /u),
  })
  expect(await runAgent(['export', 'last', '--format', 'pdf'], at)).toMatchObject({ code: 2 })
  expect(await runAgent(['import', '/nowhere.jsonl'], at)).toMatchObject({ code: 1, stdout: '' })
})

test('a search finds a refused edit and says that it was not applied; a search that finds nothing ends with code 1', async () => {
  const at = await place([calls(call('write_file', { file_path: 'a.txt', content: 'a needle\n' })), say('It was refused.')])
  await runAgent(['write a file'], at)
  const found = await runAgent(['search', 'needle'], at)
  expect([found.code, found.stderr]).toEqual([0, ''])
  expect(found.stdout).toMatch(/ write a file \(s_\w+\), step 1, refused change, not applied, of a\.txt\n  a needle\n$/u)
  const [hit] = (await runAgent(['search', 'NEEDLE', '--in', 'refused', '--json'], at)).stdout.trim().split('\n')
  expect(JSON.parse(hit ?? '')).toMatchObject({ foundIn: 'refused', path: 'a.txt', parts: ['a ', 'needle', ''] })
  expect(await runAgent(['search', 'needle', '--changed', 'a.txt'], at)).toMatchObject({ code: 1, stderr: 'Nothing was found.\n' })
  // A quoted phrase counts as one word, so "of it" is long enough.
  expect(await runAgent(['search', '"of it"'], at)).toMatchObject({ code: 1, stderr: 'Nothing was found.\n' })
  expect(await runAgent(['search', 'of'], at)).toMatchObject({ code: 2, stderr: 'A search needs a word with at least 3 letters.\n' })
  expect(await runAgent(['search', 'needle', '--in', 'x'], at)).toMatchObject({ code: 2, stderr: expect.stringContaining('not "x"') })
  expect(await runAgent(['doctor'], at)).toMatchObject({ code: 0, stdout: expect.stringContaining('No damage found.') })
}, 120_000)
