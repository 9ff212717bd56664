import { describe, expect, test } from 'vitest'
import type { Tool } from '../../main/agent/ports/tool.ts'
import { createToolRegistry } from '../../main/agent/tool-registry.ts'

const tool = (name: string, description = name): Tool => ({
  definition: { name, description, parameters: { type: 'object' } },
  validate: (value) => ({ ok: true, value }),
  prepare: () => Promise.resolve({ kind: 'rejected', output: { output: '', isError: true, details: null } }),
})

describe('tool registry (P2-35, P2-36, P2-55)', () => {
  test('an empty registry returns empty lists, and null for any name', () => {
    const registry = createToolRegistry()
    expect([registry.list(), registry.definitions(), registry.get('read_file')]).toEqual([[], [], null])
  })

  test('initial tools are present, in order', () => {
    const a = tool('a')
    const b = tool('b')
    const registry = createToolRegistry([a, b])
    expect(registry.list()).toEqual([a, b])
    expect(registry.definitions()).toEqual([a.definition, b.definition])
    expect(registry.get('b')).toBe(b)
  })

  test('registering an existing name replaces its tool for good', () => {
    const older = tool('a', 'older')
    const newer = tool('a', 'newer')
    const registry = createToolRegistry([older])
    registry.register(newer)
    expect(registry.list()).toEqual([newer])
    registry.unregister('a')
    expect([registry.get('a'), registry.list()]).toEqual([null, []])
  })

  test('the definitions stay the same array until the registry changes', () => {
    const registry = createToolRegistry([tool('a')])
    const first = registry.definitions()
    registry.unregister('not there')
    expect(registry.definitions()).toBe(first)
    registry.register(tool('b'))
    expect(registry.definitions().map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test('changing a copy of a registry does not change the original (T-06)', () => {
    const shared = createToolRegistry([tool('a')])
    const child = createToolRegistry(shared.list())
    child.register(tool('a', 'the child’s own'))
    child.register(tool('wait'))
    expect(shared.definitions().map(({ name, description }) => [name, description])).toEqual([['a', 'a']])
  })

  test('a name that differs only in case is accepted if no tool has the exact name (D-51)', () => {
    const a = tool('read_file')
    const b = { ...tool('shell'), otherNames: ['Bash', 'run_command'] }
    const exact = tool('BASH')
    const registry = createToolRegistry([a, b])
    expect(['Read_File', 'bash', 'RUN_COMMAND', 'run'].map((name) => registry.get(name))).toEqual([a, b, b, null])
    registry.register(exact)
    expect([registry.get('BASH'), registry.get('Bash')]).toEqual([exact, b])
  })

  test('names of object members such as "constructor" are not found unless registered', () => {
    const registry = createToolRegistry()
    expect(['constructor', '__proto__', 'toString'].map((name) => registry.get(name))).toEqual([null, null, null])
  })
})
