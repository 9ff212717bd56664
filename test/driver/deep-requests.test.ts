import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDriver } from './program/driver.ts'
import { createFolders } from './program/folders.ts'
import { written } from './program/request.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { createWorkspaces } from '../../main/workspace/workspaces.ts'

const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const lists = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`

/** Returns the driver's output for these input lines, in order. */
async function answers(...lines: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'countersign-deep-'))
  const stop = new AbortController()
  const workspaces = createWorkspaces({ createEnvironment: createLocalExecutionEnvironment, home: cwd, ownFolders: [] })
  onTestFinished(async () => {
    stop.abort()
    await workspaces.closeAll()
    rmSync(cwd, { recursive: true, force: true })
  })
  const driver = createDriver(createFolders(workspaces, stop.signal), stop.signal)
  const all: Record<string, unknown>[] = []
  for (const line of lines)
    all.push(JSON.parse(written(await driver(line.replace('CWD', JSON.stringify(cwd).slice(1, -1))))) as Record<string, unknown>)
  return all
}

test.each([6_000, 8_000, 200_000])(
  'nesting of %i levels is refused anywhere in a request, and the driver continues (fault 47)',
  async (levels) => {
    const build = (turn: string): string =>
      `{"id":1,"op":"build_request","args":{"provider":"gemini","history":[${turn}],"options":{"model":"gemini-3.8-flash"}}}`
    const given = [
      `{"id":1,"op":"read_file","cwd":"CWD","args":${lists(levels)}}`,
      `{"id":1,"op":"read_file","cwd":"CWD","args":${objects(levels)}}`,
      build(`{"kind":"assistant","content":[{"kind":"tool_call","toolCallId":"c","toolName":"t","args":${objects(levels)}}]}`),
      `{"id":1,"op":"session_run","cwd":"CWD","args":{"script":[{"calls":[{"name":"t","args":${objects(levels)}}]}]}}`,
      objects(levels),
      '['.repeat(levels),
    ]
    const all = await answers(...given, '{"id":2,"op":"apply_diff","args":{"input":"","diff":"+a","mode":"create"}}')
    expect(all.map(({ ok }) => ok)).toEqual([...given.map(() => false), true])
    expect(all.slice(0, 4).map(({ id, error }) => [id, error])).toEqual(
      given.slice(0, 4).map(() => [1, 'The request is nested more than 160 levels deep.']),
    )
  },
)

test('arguments nested 8,000 levels deep in the given conversation are replaced by empty arguments', async () => {
  const turn = { kind: 'assistant', content: [{ kind: 'tool_call', toolCallId: 'c', toolName: 't', argsText: objects(8_000) }] }
  const asked = { provider: 'anthropic', history: [{ role: 'user', content: 'Go' }, turn], options: { model: 'claude-opus-5-5' } }
  const [answer] = await answers(JSON.stringify({ id: 1, op: 'build_request', args: asked }))
  expect(answer).toMatchObject({
    ok: true,
    output: { body: { messages: [{}, { content: [{ type: 'tool_use', input: {} }] }, { content: [{ type: 'tool_result' }] }] } },
  })
})

test('an answer that cannot be serialized becomes an error', () => {
  const deep: unknown = JSON.parse(objects(50_000))
  expect(JSON.parse(written({ id: 'x', ok: true, output: deep }))).toEqual({
    id: 'x',
    ok: false,
    error: expect.stringContaining('The answer cannot be written') as string,
  })
})
