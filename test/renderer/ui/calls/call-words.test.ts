import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../../../../renderer/tools/views.ts'
import { wordsOf } from '../../../../renderer/ui/calls/call-words.ts'
import type { JsonValue } from '../../../../shared/session/content.ts'
import { emptySession, foldAll } from '../../../../shared/session/fold/fold.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { begun, ended, executing, SESSION, stamped, started } from '../../../agent/support/events.ts'

type Args = NonNullable<CallItem['args']>

function ran(toolName: string, args: Args, details: JsonValue = null): CallItem {
  const events = [started(), begun('c1', toolName, args), executing('c1'), { ...ended('c1', 'text', { toolName }), details }]
  return foldAll(emptySession(SESSION), stamped(events)).items.find((item): item is CallItem => item.kind === 'call') as CallItem
}

/** Returns the text of the line that shows a step. */
function line(toolName: string, args: Args, details: JsonValue = null): string {
  const call = ran(toolName, args, details)
  const { verb, subject, rest } = wordsOf(call)
  return [verb, subject, rest, outcomeOf(call)].filter((part) => part !== '').join(' | ')
}

describe('the line of a step', () => {
  test('names the first file of an edit and how many more there are', () => {
    const edits = [{ file_path: 'a.ts' }, { file_path: 'b.ts' }, { file_path: 'a.ts' }]
    expect(line('multi_edit', { edits })).toBe('Edit | a.ts | and 1 more')
    const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Delete File: src/b.ts\n*** Add File: c.ts\n+c\n*** End Patch'
    expect(line('apply_patch', { patch })).toBe('Edit | src/a.ts | and 2 more')
    expect(line('delete_file', { file_path: 'b.ts' })).toBe('Delete | b.ts')
    expect(line('notebook_edit', { file_path: 'n.ipynb', cell_idx: 3, content: '' })).toBe('Edit | n.ipynb | cell 3')
  })

  test('says how much was read', () => {
    expect(line('read_many_files', { paths: ['src/*.ts'] }, { read: ['src/a.ts', 'src/b.ts'], left: ['src/c.ts'] })).toBe(
      'Read 2 files | a.ts, b.ts, 1 left out',
    )
    const image = { path: '/p/plan.png', firstLine: 1, lines: 0, totalLines: 0, hash: 'h' }
    expect(line('read_file', { file_path: 'plan.png' }, image)).toBe('Read | plan.png | as an image')
    expect(line('list_dir', {}, { path: '.', entries: 1, capped: false })).toBe('List | . | 1 entry')
    expect(line('read_output', { call: 'c0', pattern: 'error' })).toBe('Read | error | in an earlier output')
  })

  test('shows whether a command still runs or is in the background, or its exit code', () => {
    const shell = { command: 'npm test', cwd: '/p', exitCode: 1, timedOut: false, terminal: true, rawBlob: null }
    expect(line('bash', { command: 'npm test' }, shell)).toBe('Run | npm test | exit 1')
    expect(line('shell', { command: 'npm start' }, { ...shell, exitCode: null, background: 'bg_1' })).toBe(
      'Run | npm start | as bg_1 | in the background',
    )
    const output = { id: 'bg_1', command: 'npm start', running: true, exitCode: null }
    expect(line('bash_output', { id: 'bg_1' }, output)).toBe('Read output | bg_1 | npm start | still running')
    expect(line('bash_output', { command: 'pwd' }, { ...shell, command: 'pwd', exitCode: 0 })).toBe('Run | pwd | exit 0')
    expect(line('kill_shell', {})).toBe('Stop | the newest background command or the shell | stopped')
    expect(line('kill_shell', { id: 'bg_1' })).toBe('Stop | bg_1 | in the background | stopped')
  })

  test('shows where and how a search was done, and whether nothing was found', () => {
    const found = { pattern: 'a', matches: 3, files: 2, capped: false, hits: [] }
    expect(line('grep', { pattern: 'a', path: 'src', include: '*.ts' }, found)).toBe('Search | a | in src, only *.ts | 3 in 2 files')
    expect(line('grep', { pattern: 'a', output_mode: 'count' }, found)).toBe('Search | a | how often in each file | 3 in 2 files')
    expect(line('glob', { pattern: '*.zzz' }, { pattern: '*.zzz', total: 0, capped: false, paths: [] })).toBe(
      'Find | *.zzz | nothing found',
    )
  })

  test('says the status of a page or the number of pages found', () => {
    const page = { url: 'https://example.com/', status: 200, title: null, bytes: 9_100 }
    expect(line('web_fetch', { url: 'https://example.com/' }, page)).toBe('Fetch | https://example.com/ | 200, 9.1\u00a0kB')
    expect(line('web_search', { query: 'iso 8601' }, { query: 'iso 8601', hits: [{ title: 't', url: 'u' }] })).toBe(
      'Search | iso 8601 | on the web | 1 page',
    )
  })

  test('says how many steps of a plan are done', () => {
    const todo = (id: string, status: string) => ({ id, content: id, status, priority: 'high' })
    expect(line('todo_write', { todos: [todo('a', 'completed'), todo('b', 'pending')] })).toBe('Plan | 1 of 2 done')
  })

  test('shows the name of an unknown tool and its first argument', () => {
    expect(line('my_tool', { count: 3, where: 'here' })).toBe('Call | my_tool | here')
  })
})
