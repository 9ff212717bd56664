import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dispatchToolCalls } from '../../main/embed/dispatch-without-session.ts'
import { createToolRegistry } from '../../main/agent/tool-registry.ts'
import { countChangedLinesInSlices } from '../../main/changes/count-changed-lines.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { executorTool } from '../../main/embed/tools/executor-tool.ts'
import type { ToolExecutor } from '../../main/embed/tools/tool-types.ts'
import { createTools } from '../../main/tools/create-tools.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const schema = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }
const seedExecutor = (of: ReturnType<typeof definition>, executor: ToolExecutor) => executorTool({ definition: of, executor })
const definition = (name: string) => ({ name, description: name, parameters: schema })

describe('dispatchToolCalls (P3-14…P3-20)', () => {
  test('the executor gets the arguments and the environment, through the registry (P2-33, P2-34, P3-15)', async () => {
    const env = createLocalExecutionEnvironment(temporaryFolder('dispatch'))
    const registry = createToolRegistry([
      seedExecutor(definition('echo'), (args, given) =>
        Promise.resolve(`${args['word'] as string} ${given.workingDirectory() === env.workingDirectory()}`),
      ),
    ])
    expect(await dispatchToolCalls([{ toolCallId: '1', toolName: 'echo', args: { word: 'hi' } }], registry, env, false)).toEqual([
      { toolCallId: '1', output: 'hi true', isError: false },
    ])
  })

  test('unknown, invalid and throwing calls return results in call order (P3-16, P3-17, P3-18, AC3.2, AC3.4)', async () => {
    const env = createLocalExecutionEnvironment(temporaryFolder('dispatch'))
    const registry = createToolRegistry([seedExecutor(definition('boom'), () => Promise.reject(new Error('no')))])
    const calls = [
      { toolCallId: '1', toolName: 'nothing', args: {} },
      { toolCallId: '2', toolName: 'boom', args: '{"word": ' },
      { toolCallId: '3', toolName: 'boom', args: {} },
      { toolCallId: '4', toolName: 'boom', args: { word: 'x' } },
    ]
    for (const parallel of [true, false]) {
      expect(await dispatchToolCalls(calls, registry, env, parallel)).toEqual([
        { toolCallId: '1', output: 'Unknown tool: nothing. Available tools: boom.', isError: true },
        { toolCallId: '2', output: expect.stringMatching(/^Invalid arguments for boom: .*not valid JSON/) as unknown, isError: true },
        { toolCallId: '3', output: 'Invalid arguments for boom: word is missing; it must be a string.', isError: true },
        { toolCallId: '4', output: 'Tool error: no', isError: true },
      ])
    }
  })

  test('calls run at the same time if parallel is set, and otherwise one after the other (P3-19, AC3.5)', async () => {
    const env = createLocalExecutionEnvironment(temporaryFolder('dispatch'))
    const order: string[] = []
    const arrivals: (() => void)[] = []
    const both = new Promise<void>((resolve) => {
      arrivals.push(() => arrivals.length === 3 && resolve())
    })
    const registry = createToolRegistry([
      seedExecutor(definition('meet'), async (args) => {
        order.push(`begin ${args['word'] as string}`)
        arrivals.push(() => {})
        arrivals[0]?.()
        await both
        order.push(`end ${args['word'] as string}`)
        return ''
      }),
      seedExecutor(definition('note'), async (args) => {
        order.push(`begin ${args['word'] as string}`)
        await Promise.resolve()
        order.push(`end ${args['word'] as string}`)
        return ''
      }),
    ])
    const two = (toolName: string) => ['a', 'b'].map((word) => ({ toolCallId: word, toolName, args: { word } }))
    // This call would never end if the second tool did not begin before the first has ended.
    await dispatchToolCalls(two('meet'), registry, env, true)
    expect(order.splice(0)).toEqual(['begin a', 'begin b', 'end a', 'end b'])
    await dispatchToolCalls(two('note'), registry, env, false)
    expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b'])
  })

  test('the built-in tools write, edit and read in a real folder without putting line numbers into the file (T-01)', async () => {
    const folder = temporaryFolder('dispatch')
    const env = createLocalExecutionEnvironment(folder)
    const registry = createToolRegistry(createTools({ countLines: countChangedLinesInSlices }))
    const calls = [
      { toolCallId: '1', toolName: 'write_file', args: { file_path: 'a.txt', content: 'one\ntwo\n' } },
      { toolCallId: '2', toolName: 'edit_file', args: { file_path: 'a.txt', old_string: 'two', new_string: 'three' } },
      { toolCallId: '3', toolName: 'read_file', args: { file_path: 'a.txt' } },
    ]
    const results = await dispatchToolCalls(calls, registry, env, false)
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false])
    expect(results[2]?.output).toBe('     1\tone\n     2\tthree')
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('one\nthree\n')
  })

  test('a call that would need approval is refused without any effect (D-50), and long outputs are truncated', async () => {
    const folder = temporaryFolder('dispatch')
    const env = createLocalExecutionEnvironment(folder)
    await writeFile(join(folder, 'long.txt'), 'long')
    const registry = createToolRegistry(createTools({ countLines: countChangedLinesInSlices }))
    const results = await dispatchToolCalls(
      [
        { toolCallId: '1', toolName: 'write_file', args: { file_path: 'a.txt', content: 'a' } },
        { toolCallId: '2', toolName: 'read_file', args: { file_path: 'long.txt' } },
      ],
      registry,
      env,
      true,
      { judge: () => ({ kind: 'ask', reason: 'It writes.', destructive: false }), truncate: (name, text) => `${name}: ${text}` },
    )
    expect(results.map(({ output }) => output)).toEqual([
      'write_file: Refused: It writes. Nothing was executed.',
      'read_file:      1\tlong',
    ])
    await expect(readFile(join(folder, 'a.txt'))).rejects.toThrow('ENOENT')
  })
})
