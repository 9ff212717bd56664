import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../shared/session/content.ts'
import { ALL_TOOLS, commandDetails, lineOf, meantTools, verbOf } from '../../../shared/tools/catalogue.ts'
import { grepSpec } from '../../../shared/tools/built-in/grep.ts'
import { detailsOf } from '../../../shared/tools/spec/tool-spec.ts'
import { lineText } from '../../../shared/tools/spec/call-line.ts'
import { webFetchSpec } from '../../../shared/tools/built-in/web.ts'

type Args = { readonly [key: string]: JsonValue }

const text = (toolName: string, args: Args, details: JsonValue = null): string => lineText(lineOf({ toolName, args, details }))

describe('a call as text', () => {
  test.each<[string, Args, string]>([
    ['edit_file', { file_path: 'a.ts' }, 'Edit a.ts'],
    ['multi_edit', { edits: ['a', 'b', 'c', 'd', 'a'].map((path) => ({ file_path: path })) }, 'Edit a, b, c and 1 more'],
    ['shell', { command: 'make\nmake test' }, 'Run make'],
    ['bash_output', { id: 'bg_1' }, 'Read output bg_1'],
    ['bash_output', { command: 'pwd' }, 'Run pwd'],
    ['kill_shell', {}, 'Stop the newest background command or the shell'],
    ['web_fetch', { url: 'https://example.com' }, 'Fetch https://example.com'],
    ['grep', { pattern: 'a', path: 'src', include: '*.ts' }, 'Search a in src, only *.ts'],
    ['task', { agent_type: 'explore', prompt: 'Look at the dates. All of them.' }, 'Start an explore agent: Look at the dates'],
    ['spawn_agent', { task: 'Look' }, 'Start a code agent: Look'],
    ['save_memory', { fact: 'x' }, 'Add to the project memory'],
    ['exit_plan_mode', {}, 'Propose a plan'],
    ['my_tool', { count: 3, where: 'here' }, 'Call my_tool here'],
  ])('%s %j reads "%s"', (toolName, args, words) => {
    expect(text(toolName, args)).toBe(words)
  })

  test('is made without an error and has no line break, whatever a model sent or an older version stored', () => {
    const names = fc.constantFrom(...ALL_TOOLS.map(({ name }) => name), 'my_tool')
    const argument = fc.constantFrom('file_path', 'path', 'paths', 'edits', 'patch', 'todos', 'command', 'pattern', 'url', 'cell_idx', 'id')
    const json = fc.jsonValue() as fc.Arbitrary<JsonValue>
    fc.assert(
      fc.property(names, fc.dictionary(argument, json), json, (toolName, args, details) => {
        expect(text(toolName, args, details)).not.toContain('\n')
      }),
    )
  })
})

describe('stored details of a call', () => {
  const page = { url: 'https://example.com/', status: 200, title: 'Example', bytes: 12 }
  const called = (toolName: string, details: JsonValue) => ({ toolName, args: {}, details })

  test('are parsed with the schema of their tool', () => {
    expect(detailsOf(webFetchSpec, called('web_fetch', page))).toEqual(page)
  })

  test('have defaults for fields that an older version did not store', () => {
    expect(detailsOf(grepSpec, called('grep', { pattern: 'a', matches: 0, files: 0, hits: [] }))).toMatchObject({ capped: false })
    expect(commandDetails(called('shell', { command: 'x', cwd: '/', exitCode: 0 }))).toMatchObject({ timedOut: false, rawBlob: null })
  })

  test.each<[string, string, JsonValue]>([
    ['another tool', 'web_search', page],
    ['details of another shape', 'web_fetch', { url: 3 }],
    ['a string', 'web_fetch', 'text'],
    ['missing details', 'web_fetch', null],
  ])('is null for %s', (_, toolName, details) => {
    expect(detailsOf(webFetchSpec, called(toolName, details))).toBeNull()
  })
})

test('another agent’s tool name is mapped to our best match, and an unknown name is unchanged', () => {
  expect(meantTools('Bash')).toEqual(['bash', 'shell'])
  expect(meantTools('str_replace_editor').toSorted()).toEqual(['edit_file', 'read_file', 'write_file'])
  expect([meantTools('grep'), meantTools('constructor')]).toEqual([['grep'], ['constructor']])
  expect(verbOf('my_tool')).toBe('my_tool')
})
