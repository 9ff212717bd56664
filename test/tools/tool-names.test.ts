import { describe, expect, it } from 'vitest'
import { createToolRegistry } from '../../main/agent/tool-registry.ts'
import { createTools } from '../../main/tools/create-tools.ts'
import { meantTools } from '../../shared/tools/catalogue.ts'
import { benchOfEachTest } from './bench-of-each-test.ts'

const bench = benchOfEachTest()

describe('tools under the names that other agents use (D-09, D-29, R-11…R-18, R-30, D-51)', () => {
  it.each([
    ['Read', 'read_file'],
    ['Write', 'write_file'],
    ['Edit', 'edit_file'],
    ['str_replace', 'edit_file'],
    ['run_command', 'shell'],
    ['Grep', 'grep'],
    ['Glob', 'glob'],
    ['shell', 'shell'],
    ['toString', 'toString'],
    ['MultiEdit', 'multi_edit'],
    ['LS', 'list_dir'],
    ['list_files', 'list_dir'],
    ['Bash', 'bash'],
    ['BashOutput', 'bash_output'],
    ['KillShell', 'kill_shell'],
    ['TodoWrite', 'todo_write'],
    ['TodoRead', 'todo_read'],
    ['WebFetch', 'web_fetch'],
    ['web_extract', 'web_fetch'],
    ['WebSearch', 'web_search'],
    ['NotebookRead', 'notebook_read'],
    ['NotebookEdit', 'notebook_edit'],
    ['Task', 'task'],
    ['exit_plan_mode', 'exit_plan_mode'],
    ['delete_file', 'delete_file'],
    ['modify_file', 'edit_file'],
    ['run_command', 'shell'],
    ['shell_command', 'shell'],
    ['execute_command', 'shell'],
    ['run_terminal_cmd', 'shell'],
    ['execute_bash', 'bash'],
  ])('%s is %s', (name, canonical) => {
    expect(meantTools(name)[0]).toBe(canonical)
  })
})

describe('D-51: other agents’ own arguments', () => {
  it('if two tools accept a name, the registry chooses the tool whose meaning matches', () => {
    const names = ['bash', 'shell'].map((name) => bench.tool(name).otherNames?.includes('Bash'))
    expect(names).toEqual([true, true])
    const tools = createTools({ countLines: () => Promise.resolve(null) })
    expect(createToolRegistry(tools).get('Bash')?.definition.name).toBe('bash')
    const without = tools.filter((tool) => tool.definition.name !== 'bash')
    expect(createToolRegistry(without).get('Bash')?.definition.name).toBe('shell')
  })

  it.each([
    ['Read', { file_path: 'a', offset: 1, limit: 2 }],
    ['Write', { file_path: 'a', content: 'b' }],
    ['write_file', { path: 'a', contents: 'b' }],
    ['Edit', { file_path: 'a', old_string: 'b', new_string: 'c', replace_all: true }],
    ['str_replace', { path: 'a', old_string: 'b', new_string: 'c' }],
    ['MultiEdit', { edits: [{ path: 'a', old_string: 'b', new_string: 'c' }] }],
    ['MultiEdit', { file_path: 'a', edits: [{ old_string: 'b', new_string: 'c' }] }],
    ['Glob', { pattern: '*' }],
    ['Grep', { pattern: 'a', path: '.', flags: '-i -l' }],
    ['run_command', { command: 'ls', timeout: 100 }],
    ['LS', { path: '.' }],
    ['list_files', { path: '.' }],
    ['Bash', { command: 'ls', description: 'list', timeout: 100 }],
    ['Bash', { command: 'ls', background: true }],
    ['BashOutput', {}],
    ['BashOutput', { bash_id: 'x', filter: 'a' }],
    ['KillShell', {}],
    ['KillShell', { shell_id: 'x' }],
    ['TodoWrite', { todos: [{ id: 1, content: 'a', status: 'pending', priority: 'high' }] }],
    ['update_plan', { explanation: 'why', plan: [{ step: 'Look', status: 'in_progress' }] }],
    ['write_todos', { todos: [{ description: 'Look', status: 'pending' }] }],
    ['find', { pattern: '*.ts', path: '.' }],
    ['list', { path: '.' }],
    ['TodoRead', {}],
    ['WebFetch', { url: 'https://example.com', prompt: 'what' }],
    ['web_extract', { url: 'https://example.com' }],
    ['WebSearch', { query: 'a' }],
    ['web_search', { query: 'a', page: 2 }],
    ['NotebookRead', { path: 'a.ipynb' }],
    ['NotebookEdit', { path: 'a.ipynb', cell_idx: 0, content: 'x' }],
    ['NotebookEdit', { notebook_path: 'a.ipynb', cell_id: 'x', new_source: 'y', cell_type: 'code', edit_mode: 'replace' }],
    ['delete_file', { path: 'a' }],
    ['exit_plan_mode', {}],
  ])('%s %j', (name, args) => {
    expect(bench.tool(meantTools(name)[0] ?? '').validate(args)).toMatchObject({ ok: true })
  })
})
