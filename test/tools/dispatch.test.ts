import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dispatchToolCalls } from '../../main/embed/dispatch-without-session.ts'
import { createToolRegistry } from '../../main/agent/tool-registry.ts'
import { createPolicy } from '../../main/approval/policy.ts'
import { truncateToolOutput } from '../../main/tools/truncation/truncate.ts'
import { TOOL_SPECS } from '../../shared/tools/catalogue.ts'
import { benchOfEachTest } from './bench-of-each-test.ts'
import { textOf } from './workbench.ts'

const bench = benchOfEachTest()

const registry = () => createToolRegistry([...TOOL_SPECS.keys()].map((name) => bench.tool(name)))
const dispatch = (calls: readonly (readonly [string, unknown])[], options: Parameters<typeof dispatchToolCalls>[4] = {}) =>
  dispatchToolCalls(
    calls.map(([toolName, args], index) => ({ toolCallId: `c${index}`, toolName, args })),
    registry(),
    bench.env,
    false,
    { memory: bench.memory, place: bench.place, truncate: (name, output) => truncateToolOutput(output, name), ...options },
  )

it('R-09: each call sees the effect of the previous one: read, create, edit, run', async () => {
  const results = await dispatch([
    ['write_file', { path: 'sum.sh', contents: 'echo $((1 + 1))\n' }],
    ['edit_file', { file_path: 'sum.sh', old_string: '1 + 1', new_string: '20 + 22' }],
    ['read_file', { file_path: 'sum.sh' }],
    ['shell', { command: 'bash sum.sh' }],
    ['grep', { pattern: 'echo' }],
    ['glob', { pattern: '*.sh' }],
  ])
  expect(results.map(({ output, isError }) => [isError, textOf(output).replace(/\d+ ms/u, 'N ms')])).toEqual([
    [false, 'Wrote 16 bytes to sum.sh.'],
    [false, 'Edited sum.sh: 1 replacement.\n@@ line 1 @@\n-echo $((1 + 1))\n+echo $((20 + 22))'],
    [false, '     1\techo $((20 + 22))'],
    [false, '42\nExit code: 0 (N ms)'],
    [false, 'sum.sh:1:echo $((20 + 22))'],
    [false, 'sum.sh'],
  ])
})

it('P3-17, T-04: a failure is a result with the error flag and a message', async () => {
  const results = await dispatch([
    ['read_file', '{"file_path": '],
    ['read_file', {}],
    ['read_file', { file_path: 'missing' }],
    ['no_such_tool', {}],
  ])
  expect(results.map(({ isError }) => isError)).toEqual([true, true, true, true])
  expect(results[1]?.output).toBe(
    'Invalid arguments for read_file: file_path is missing; it must be a string. It takes file_path, offset?, limit?.',
  )
})

it.each<[string, object]>([
  ['read_file', { file_path: 'a' }],
  ['grep', { pattern: 'x', path: 'a' }],
  ['glob', { pattern: '*', path: 'a' }],
  ['shell', { command: 'ls', working_dir: 'a' }],
])('C10: %s does not follow a link that appeared in its path after preparation', async (name, args) => {
  const prepared = await bench.prepare(name, args)
  symlinkSync('/etc', join(bench.root, 'a'))
  expect(await bench.commit(prepared)).toMatchObject({ isError: true, output: expect.stringMatching(/leads to a different place/u) })
})

it('C10: read_file does not follow a link that appears between its last check and the reading', async () => {
  mkdirSync(join(bench.root, 'sub'))
  writeFileSync(join(bench.root, 'sub', 'hostname'), 'mine')
  const { env } = bench
  const realpath: typeof env.realpath = async (path) => {
    const real = await env.realpath(path)
    renameSync(join(bench.root, 'sub'), join(bench.root, 'aside'))
    symlinkSync('/etc', join(bench.root, 'sub'))
    return real
  }
  const prepared = await bench.prepare('read_file', { file_path: 'sub/hostname' })
  expect(await bench.commit(prepared, { env: { ...env, realpath } })).toMatchObject({
    isError: true,
    output: expect.stringMatching(/sub\/hostname leads to a different place now/u),
  })
})

it('D-38: files read in one call count as read in later calls in the same folder', async () => {
  writeFileSync(join(bench.root, 'a.txt'), 'one')
  await dispatch([['read_file', { file_path: 'a.txt' }]])
  writeFileSync(join(bench.root, 'a.txt'), 'two')
  const [refused] = await dispatch([['edit_file', { file_path: 'a.txt', old_string: 'two', new_string: 'three' }]])
  expect(refused).toMatchObject({ isError: true, output: expect.stringContaining('has changed since you read it') })
})

it('D-50: if the policy cannot ask the user, outside paths and control files are refused without any effect', async () => {
  const { judge } = createPolicy({ root: bench.root, home: bench.home })
  const results = await dispatch(
    [
      ['write_file', { file_path: 'inside.txt', content: 'x' }],
      ['write_file', { file_path: '.git/config', content: 'x' }],
      ['write_file', { file_path: '../outside.txt', content: 'x' }],
    ],
    { judge: (effects) => judge(effects, 'full') },
  )
  expect(results.map(({ isError }) => isError)).toEqual([false, true, true])
  expect(await bench.env.listDirectory('.')).toEqual([{ name: 'inside.txt', isDir: false, size: 1 }])
})

it('P3-12: a line of 10 MB reaches the model truncated, and the result says how many characters were removed', async () => {
  const [result = { output: '' }] = await dispatch([['shell', { command: String.raw`head -c 10000000 /dev/zero | tr '\0' x` }]])
  expect(result.output.length).toBeLessThan(31_000)
  expect(result.output).toMatch(/characters were removed from the middle/u)
  expect(result.output).toMatch(/Exit code: 0 \(\d+ ms\)$/u)
})

it('R-29: if there are no slash commands, a call of slash_command or SlashCommand gets an explanation', async () => {
  const results = await dispatch([
    ['slash_command', { command: '/clear' }],
    ['SlashCommand', { command: 'compact' }],
  ])
  const rest = `There are no slash commands. Do the work with the tools. Available tools: ${[...TOOL_SPECS.keys()].join(', ')}.`
  expect(results).toEqual([
    { toolCallId: 'c0', output: `Unknown tool: slash_command. ${rest}`, isError: true },
    { toolCallId: 'c1', output: `Unknown tool: SlashCommand. ${rest}`, isError: true },
  ])
})

it('fault 47: dispatch never crashes, whatever the name and arguments, and every call gets its own result in order', async () => {
  const reading = [...TOOL_SPECS.keys()].filter((name) => !['web_fetch', 'web_search', 'shell', 'bash'].includes(name))
  const name = fc.oneof(fc.constantFrom(...reading), fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString'))
  const args = fc.oneof(
    fc.json(),
    fc.string(),
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom('file_path', 'path', 'pattern', 'id'), fc.jsonValue()),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, args), { maxLength: 4 }), async (calls) => {
      const results = await dispatch(calls)
      expect(results.map(({ toolCallId, isError }) => [toolCallId, typeof isError])).toEqual(
        calls.map((_, index) => [`c${index}`, 'boolean']),
      )
    }),
    { numRuns: 100 },
  )
})
