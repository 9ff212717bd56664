import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, calls, message, say, thinking } from '../../support/scripted-model.ts'
import { type AgentOutcome, ofKind, runAgent } from '../support/agent-process.ts'
import { place } from '../support/model-place.ts'
import { storedEvents } from '../support/stored-events.ts'

interface Line {
  readonly seq: number | null
  readonly event: { readonly kind: string }
  readonly blobs?: Readonly<Record<string, string>>
}

const linesOf = ({ stdout }: AgentOutcome): readonly Line[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('JSON lines', () => {
  test('contain every stored event unchanged, and the file path of each blob', async () => {
    const at = await place([
      calls(call('shell', { command: 'seq 1 40000' })),
      calls(call('read_file', { file_path: 'a.txt' })),
      calls(call('edit_file', { file_path: 'a.txt', old_string: 'small', new_string: 'SMALL' })),
      calls(call('write_file', { file_path: 'b.txt', content: 'large '.repeat(20_000) })),
      say('Done.'),
    ])
    await writeFile(join(at.cwd, 'a.txt'), 'small\n')
    const outcome = await runAgent(['--approve', 'all', 'Do it'], at)
    expect(outcome.code).toBe(0)
    const lines = linesOf(outcome)
    expect(lines.filter(({ seq }) => seq !== null).map(({ event }) => event)).toEqual(await storedEvents(at.data))

    const files = new Map(lines.flatMap(({ blobs = {} }) => Object.entries(blobs)))
    expect(files.size).toBeGreaterThanOrEqual(6)
    for (const [hash, path] of files) {
      expect(path.startsWith(`${at.data}/`)).toBe(true)
      expect(sha256(readFileSync(path))).toBe(hash)
    }
    const [shell] = ofKind(outcome, 'TOOL_CALL_END')
    const whole = Array.from({ length: 40_000 }, (_, n) => `${n + 1}\n`).join('')
    expect(readFileSync(files.get(shell?.outputBlob?.hash ?? '') ?? '', 'utf8')).toContain(whole)
    const [edit, write] = ofKind(outcome, 'FILES_CHANGED').flatMap((event) => event.files)
    const text = (hash: string | null | undefined): string => readFileSync(files.get(hash ?? '') ?? '', 'utf8')
    expect([text(edit?.before), text(edit?.after), text(write?.after)]).toEqual(['small\n', 'SMALL\n', 'large '.repeat(20_000)])
  })
})

describe('the logged configuration', () => {
  test.each([
    ['of the environment', [], true],
    ['of the option', ['--provider', 'anthropic', '--base-url'], false],
  ])('contains the address %s', async (_, options, byEnvironment) => {
    const at = await place([say('Done.')])
    const env = byEnvironment ? at.env : { ...at.env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }
    const args = byEnvironment ? options : [...options, `${at.model.url}/`]
    const outcome = await runAgent([...args, 'x'], { ...at, env })
    expect(outcome.code).toBe(0)
    expect(ofKind(outcome, 'SESSION_START').map(({ baseUrl }) => baseUrl)).toEqual([at.model.url])
  })

  test('never contains a password in an address, and an address with a password ends the turn', async () => {
    const at = await place([])
    const outcome = await runAgent(['x'], { ...at, env: { ...at.env, ANTHROPIC_BASE_URL: 'https://me:canary-password@example.org' } })
    expect(outcome.code).toBe(1)
    expect(outcome.stdout + outcome.stderr).not.toContain('canary-password')
    expect(ofKind(outcome, 'ERROR').map(({ error }) => error.code)).toEqual(['base_url'])
  })
})

test('unusable settings are reported on standard error, in three lines, and the task runs', async () => {
  const at = await place([say('Done.')])
  await writeFile(join(at.data, 'settings.json'), '{ "maxRounds": "many" }')
  const outcome = await runAgent(['x'], at)
  expect(outcome.code).toBe(0)
  const lines = outcome.stderr.trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toContain('maxRounds')
})

test.each([
  ['empty', message([]), 'empty_answer'],
  ['thought only', message([thinking('I could read it.', 'c2ln')]), 'empty_answer'],
  ['a call written as text', say('<tool_call>\n{"name": "glob"}\n</tool_call>'), 'call_as_text'],
])('an answer that says nothing (%s) ends with exit code 1, an ERROR line, and its words on standard error', async (_, answer, code) => {
  const at = await place([answer, answer])
  const outcome = await runAgent(['x'], at)
  const errors = ofKind(outcome, 'ERROR').map(({ error }) => error)
  expect([outcome.code, errors.map((error) => error.code)]).toEqual([1, [code]])
  expect(outcome.stderr).toContain(errors[0]?.what ?? 'no error')
  expect(ofKind(outcome, 'PROCESSING_END').map(({ reason }) => reason)).toEqual(['error'])
  expect(ofKind(outcome, 'STEERING_INJECTED')).toHaveLength(1)
})

test('an answer that says nothing once does not change the exit code', async () => {
  const at = await place([message([]), say('Done.')])
  const outcome = await runAgent(['x'], at)
  expect([outcome.code, ofKind(outcome, 'ERROR'), outcome.stderr]).toEqual([0, [], ''])
})
