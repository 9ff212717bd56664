import { wordList } from '../../shared/lib/word-list.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTools } from '../../main/tools/create-tools.ts'
import { canonicalArguments } from '../../shared/tools/foreign-arguments/canonical-arguments.ts'
import { grepSpec } from '../../shared/tools/built-in/grep.ts'
import { readFileSpec } from '../../shared/tools/built-in/read-file.ts'
import { TOOL_SPECS } from '../../shared/tools/catalogue.ts'
import { benchOfEachTest } from './bench-of-each-test.ts'
import { refusalOf } from './workbench.ts'

const bench = benchOfEachTest()

const NAMES = [...TOOL_SPECS.keys()]

describe('definitions (P2-32, P3-21)', () => {
  it('R-31, R-32, R-33, R-34, P3-39, D-26: every tool exists once, under its own name', () => {
    const names = createTools({ countLines: () => Promise.resolve(null) }).map((tool) => tool.definition.name)
    expect(names.toSorted()).toEqual(NAMES.toSorted())
    expect(names).toEqual(
      expect.arrayContaining([
        ...wordList(`
  read_file write_file edit_file multi_edit apply_patch delete_file read_many_files grep glob list_dir shell bash bash_output
  kill_shell read_output todo_write todo_read exit_plan_mode web_fetch web_search notebook_read notebook_edit
`),
      ]),
    )
  })

  it.each(NAMES)('%s has an object schema that names its required arguments', (name) => {
    const { parameters, description } = bench.tool(name).definition
    expect(parameters).toMatchObject({
      type: 'object',
      properties: expect.any(Object),
      additionalProperties: false,
    })
    const input = TOOL_SPECS.get(name)?.input
    const required = Object.entries(input instanceof z.ZodObject ? input.shape : {}).filter(
      ([, type]) => !z.safeParse(type, undefined).success,
    )
    expect(parameters['required'] ?? []).toEqual(required.map(([argument]) => argument))
    expect(parameters).not.toHaveProperty('$schema')
    expect(description.length).toBeGreaterThan(20)
  })

  it('test/driver.md lists every tool with its arguments', () => {
    const page = readFileSync(join(import.meta.dirname, '../driver.md'), 'utf8')
    const told = new Map(
      [...page.matchAll(/^\| `(\w+)` \| ([^|]*) \|/gmu)].map(([, name = '', args = '']) => [name, args.replaceAll('`', '').trim()]),
    )
    const meant = NAMES.map((name) => {
      const { properties, required = [] } = bench.tool(name).definition.parameters as { properties: object; required?: readonly string[] }
      return Object.keys(properties)
        .map((argument) => (required.includes(argument) ? argument : `${argument}?`))
        .join(', ')
    })
    expect(NAMES.map((name) => told.get(name))).toEqual(meant)
  })

  it('the complete schema of read_file', () => {
    expect(bench.tool('read_file').definition.parameters).toEqual({
      type: 'object',
      properties: {
        file_path: { type: 'string', minLength: 1, description: 'Path of the file, absolute or relative to the working directory.' },
        offset: { type: 'integer', minimum: 1, description: 'Line to start from; the first line is 1.' },
        limit: { type: 'integer', minimum: 1, description: 'Number of lines to read. Default: 2000.' },
      },
      required: ['file_path'],
      additionalProperties: false,
    })
  })
})

describe('validation (P3-17): a message that a model can act on', () => {
  it.each([
    ['read_file', {}, 'file_path is missing; it must be a string. It takes file_path, offset?, limit?.'],
    ['read_file', { file_path: 3 }, 'file_path must be a string, not 3. It takes file_path, offset?, limit?.'],
    [
      'edit_file',
      { file_path: 'a', replace_all: 'yes' },
      'old_string is missing; it must be a string. new_string is missing; it must be a string. replace_all must be a boolean, not "yes". It takes file_path, old_string, new_string, replace_all?.',
    ],
    [
      'grep',
      { pattern: 'x', output_mode: 'lines' },
      'output_mode must be one of "content", "files_with_matches", "count", not "lines". It takes pattern, path?, case_sensitive?, include?, context_lines?, output_mode?, multiline?, max_results?.',
    ],
    ['grep', { pattern: 'x', context_lines: 99 }, expect.stringMatching(/^context_lines must be at most 20, not 99\./u)],
    ['shell', { command: ['ls', 1] }, expect.stringMatching(/^command must be a string, not \["ls",1\]\./u)],
    ['shell', { command: [] }, expect.stringMatching(/^command must be a string, not \[\]\./u)],
    ['shell', { command: 'x', timeout_ms: -1 }, expect.stringMatching(/^timeout_ms must be at least 1, not -1\./u)],
    ['read_many_files', { paths: [] }, 'paths must contain at least 1 entry, not []. It takes paths.'],
    ['todo_write', { todos: [{ content: ' ' }] }, 'todos.0.content must not be empty. It takes todos.'],
    [
      'todo_write',
      { todos: [{ id: 'x'.repeat(81), content: 'a' }] },
      expect.stringMatching(/^todos\.0\.id must have at most 80 characters, not /u),
    ],
    ['glob', null, 'The arguments must be one JSON object. It takes pattern, path?.'],
    ['glob', ['x'], 'The arguments must be one JSON object. It takes pattern, path?.'],
    ['glob', 'x', 'The arguments must be one JSON object. It takes pattern, path?.'],
  ])('%s %j', (name, args, failure) => {
    expect(refusalOf(bench.tool(name).validate(args))).toEqual(failure)
  })

  it('arguments known only from other agents work but are not offered to models (D-51)', () => {
    for (const name of ['grep', 'glob', 'list_dir', 'edit_file', 'multi_edit']) {
      expect(JSON.stringify(bench.tool(name).definition.parameters)).not.toMatch(
        /unlisted|expected_replacements|respect_git_ignore|max_count/u,
      )
    }
    expect(refusalOf(bench.tool('glob').validate({ pattern: 'x', case_sensitive: 'no' }))).toBe(
      'case_sensitive must be a boolean, not "no". It takes pattern, path?.',
    )
  })

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['read_file', { file_path: 'a', view_range: 'all' }, 'offset must be a number, not "all".'],
    ['read_file', { file_path: 'a', start_line: 5, end_line: 2 }, 'limit must be at least 1, not -2.'],
    ['read_file', { file_path: 'a.pdf', pages: '1-3' }, 'There is no argument pages. Documents are read completely.'],
    [
      'write_file',
      { file_path: 'a', content: 'b', append: true },
      'There is no argument append. The whole file is written. Edit the file to add to it.',
    ],
    [
      'write_file',
      { file_path: 'a', content: 'b', encoding: 'base64' },
      'There is no argument encoding. A file keeps its encoding; a new file is written in UTF-8.',
    ],
    [
      'write_file',
      { file_path: 'a', content: 'b', overwrite: false },
      'There is no argument overwrite. An existing file is replaced. Check first whether it exists.',
    ],
    [
      'edit_file',
      { file_path: 'a', old_string: 'b', new_string: 'c', dry_run: true },
      'There is no argument dry_run. There is no dry run: the developer sees each change before it is made.',
    ],
    [
      'edit_file',
      { file_path: 'a', old_string: 'b', new_string: 'c', occurrence: 2 },
      'There is no argument occurrence. The place is found by old_string. Include enough lines to make it unique.',
    ],
    [
      'multi_edit',
      { edits: [{ file_path: 'a', old_string: 'b', new_string: 'c', regex: true }] },
      'There is no argument regex. old_string is plain text, not a pattern.',
    ],
    [
      'apply_patch',
      { patch: 'x', workdir: 'sub' },
      'There is no argument workdir. Paths in the patch are relative to the working directory.',
    ],
    ['shell', { command: 'ls', env: { A: '1' } }, 'There is no argument env. Write NAME=value before the command.'],
    ['bash', { command: 'ls', args: ['-l'] }, 'There is no argument args. Write them in command.'],
    ['grep', { pattern: 'x', exclude: '*.md' }, 'There is no argument exclude. Use include with ! in front of a glob to exclude paths.'],
    ['glob', { pattern: 'x', type: 'directory' }, 'There is no argument type. Only files are listed.'],
    ['todo_write', { todos: [], merge: true }, 'There is no argument merge. The complete list is replaced.'],
    ['web_fetch', { url: 'https://example.com', method: 'POST' }, 'There is no argument method. Pages are fetched with GET.'],
    [
      'web_search',
      { query: 'x', allowed_domains: ['example.com'] },
      'There is no argument allowed_domains. Write site:example.com or -site:example.com in the query.',
    ],
  ])('D-51: %s %j is refused, because ignoring the argument would change the meaning', (name, args, why) => {
    expect(refusalOf(bench.tool(name).validate(args))).toContain(`${why} It takes `)
  })

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['write_file', { file_path: 'a', content: 'b', append: false, mode: 'overwrite', encoding: 'UTF-8' }],
    ['edit_file', { file_path: 'a', old_string: 'b', new_string: 'c', dry_run: false }],
    ['shell', { command: 'ls', env: {}, args: [], shell: 'bash' }],
    ['grep', { pattern: 'x', exclude: [], '-n': true }],
    ['list_dir', { path: 'a', offset: 1 }],
    ['web_fetch', { url: 'https://example.com', method: 'GET', headers: {} }],
  ])('D-51: %s %j is accepted, because ignoring the argument does not change the meaning', (name, args) => {
    expect(bench.tool(name).validate(args)).toMatchObject({ ok: true })
  })

  it('null counts as missing, and unknown arguments are dropped', () => {
    const read = bench.tool('read_file')
    expect(read.validate({ file_path: 'a', offset: null, encoding: 'utf8' })).toEqual({ ok: true, value: { file_path: 'a' } })
    expect(read.validate({ file_path: null })).toMatchObject({ ok: false })
  })
})

const ONE_EDIT = { edits: [{ file_path: 'a', old_string: 'b', new_string: 'c' }] }

describe('arguments under the names that other agents use (D-09, D-29, R-11…R-18, R-30, D-51)', () => {
  it.each([
    ['read_file', { path: 'a' }, { file_path: 'a' }],
    ['write_file', { path: 'a', contents: 'b' }, { file_path: 'a', content: 'b' }],
    ['edit_file', { path: 'a', old_str: 'b', new_str: 'c' }, { file_path: 'a', old_string: 'b', new_string: 'c' }],
    ['edit_file', { filePath: 'a', oldString: 'b', newString: 'c' }, { file_path: 'a', old_string: 'b', new_string: 'c' }],
    ['edit_file', { path: 'a', old_text: 'b', new_text: 'c' }, { file_path: 'a', old_string: 'b', new_string: 'c' }],
    ['multi_edit', { path: 'a', edits: '[{"old_str":"b","new_str":"c"}]' }, ONE_EDIT],
    ['multi_edit', { path: 'a', edits: { old_str: 'b', new_str: 'c' } }, ONE_EDIT],
    ['multi_edit', { replacements: [{ filePath: 'a', oldString: 'b', newString: 'c' }] }, ONE_EDIT],
    ['multi_edit', { edits: '[not JSON' }, { edits: '[not JSON' }],
    ['read_many_files', { paths: '["a", "b"]' }, { paths: ['a', 'b'] }],
    ['read_many_files', { paths: '[id].tsx' }, { paths: ['[id].tsx'] }],
    ['edit_file', { path: 'a', search: 'b', replace: 'c' }, { file_path: 'a', old_string: 'b', new_string: 'c' }],
    ['shell', { cmd: 'ls', timeout: 5, cwd: '/' }, { command: 'ls', timeout_ms: 5000, working_dir: '/' }],
    // P11: a `timeout` below 1000 is in seconds, and from 1000 on it is in milliseconds. `timeout_ms` is always in milliseconds.
    ['shell', { command: 'ls', timeout: 999 }, { command: 'ls', timeout_ms: 999_000 }],
    ['bash', { command: 'ls', timeout: 0.5 }, { command: 'ls', timeout_ms: 500 }],
    ['shell', { command: 'ls', timeout: 1000 }, { command: 'ls', timeout_ms: 1000 }],
    ['shell', { command: 'ls', timeout_ms: 30 }, { command: 'ls', timeout_ms: 30 }],
    ['bash_output', { command: 'ls', timeout: 30 }, { command: 'ls', timeout_ms: 30_000 }],
    ['grep', { query: 'x', '-i': true, '-C': 2, glob: '*.ts' }, { pattern: 'x', case_sensitive: false, context_lines: 2, include: '*.ts' }],
    ['grep', { pattern: 'x', flags: '-in -C 2 --hidden' }, { pattern: 'x', case_sensitive: false, context_lines: 2 }],
    ['grep', { pattern: 'x', flags: '-l' }, { pattern: 'x', output_mode: 'files_with_matches' }],
    ['grep', { pattern: 'x', flags: 7 }, { pattern: 'x' }],
    ['grep', { pattern: 'x', flags: '-inC3 -m1' }, { pattern: 'x', case_sensitive: false, context_lines: 3, max_count: 1 }],
    ['grep', { pattern: 'x', flags: '--context=1 --glob=*.md' }, { pattern: 'x', context_lines: 1, include: '*.md' }],
    ['grep', { pattern: 'x', flags: '-A 1 -B2' }, { pattern: 'x', after_context: 1, before_context: 2 }],
    ['grep', { pattern: 'x', flags: '-Fwv -t py' }, { pattern: 'x', fixed_strings: true, word: true, invert: true, type: 'py' }],
    ['grep', { pattern: 'x', flags: `-g '*.md' -g "*.ts"` }, { pattern: 'x', include: '{*.md,*.ts}' }],
    ['grep', { pattern: 'x', flags: ['-g', 'a b/*.md', '-x'] }, { pattern: 'x', include: 'a b/*.md', whole_line: true }],
    ['grep', { pattern: 'x', flags: '-io --passthru -C' }, { pattern: 'x', case_sensitive: false, flags: '-o --passthru -C' }],
    ['grep', { pattern: 'x', '-A': 2, type: 'py' }, { pattern: 'x', after_context: 2, type: 'py' }],
    ['glob', { pattern: 'x', directory: 'src' }, { pattern: 'x', path: 'src' }],
    ['read_file', { file_path: 'a', start_line: 5, end_line: 9 }, { file_path: 'a', offset: 5, limit: 5 }],
    ['read_file', { file_path: 'a', end_line: 9 }, { file_path: 'a', limit: 9 }],
    ['read_file', { file_path: 'a', offset: 4, endLine: 9, limit: 2 }, { file_path: 'a', offset: 4, limit: 2 }],
    ['read_file', { path: 'a', view_range: [3, 7] }, { file_path: 'a', offset: 3, limit: 5 }],
    ['read_file', { path: 'a', view_range: [3, -1] }, { file_path: 'a', offset: 3 }],
    ['read_output', { call: 'a', start_line: 2, end_line: 2 }, { call: 'a', offset: 2, limit: 1 }],
    ['shell', { command: 'ls', timeout_seconds: 5 }, { command: 'ls', timeout_ms: 5000 }],
    ['shell', { command: ['bash', '-lc', 'cd a && ls | wc -l'], workdir: '' }, { command: 'cd a && ls | wc -l' }],
    ['bash', { cmd: ['git', 'commit', '--author=a b', "it's; rm x"] }, { command: String.raw`git commit '--author=a b' 'it'\''s; rm x'` }],
    ['shell', { command: ['A=1', '-c', '$HOME', '*', '~', ''] }, { command: `'A=1' -c '$HOME' '*' '~' ''` }],
    ['shell', { command: ['sh', '-c', 'echo $1', 'x'], isBackground: true }, { command: `sh -c 'echo $1' x`, run_in_background: true }],
    ['list_dir', { path: 'a', recursive: true }, { path: 'a', depth: 10 }],
    ['list_dir', { path: 'a', recursive: true, depth: 2 }, { path: 'a', depth: 2 }],
    ['grep', { pattern: 'x', '-l': true, '-w': true, '-v': false }, { pattern: 'x', output_mode: 'files_with_matches', word: true }],
    ['grep', { pattern: 'x', count: true, before: 1 }, { pattern: 'x', output_mode: 'count', before_context: 1 }],
    ['grep', { pattern: 'x', '-o': true }, { pattern: 'x', flags: '-o' }],
  ])('%s accepts %j', (name, given, canonical) => {
    expect(canonicalArguments(TOOL_SPECS.get(name) ?? {}, given)).toEqual(canonical)
  })

  it('our own name wins if both names are given', () => {
    expect(canonicalArguments(readFileSpec, { file_path: 'ours', path: 'theirs' })).toEqual({ file_path: 'ours' })
  })

  it('grep’s path argument is not treated as an alias, and neither is an argument named constructor', () => {
    expect(canonicalArguments(grepSpec, { pattern: 'x', path: 'p', constructor: 1 })).toEqual({ pattern: 'x', path: 'p', constructor: 1 })
    expect(canonicalArguments({}, { path: 'p' })).toEqual({ path: 'p' })
  })
})

describe('fault 47: a tool never crashes, whatever its arguments', () => {
  const KEYS = [
    'file_path',
    'path',
    'content',
    'old_string',
    'new_string',
    'pattern',
    'command',
    'working_dir',
    'offset',
    'output_mode',
    'patch',
    'edits',
    'todos',
    'paths',
    'cell_idx',
    'edit_mode',
    'url',
    'query',
    'call',
    'plan',
    '__proto__',
    'constructor',
  ]
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '',
      '\0',
      '\ud800',
      '../../..',
      '~',
      '/',
      '/dev/zero',
      '/proc/self/mem',
      'x'.repeat(5000),
      '{a,b',
      '[',
      '**',
      -1,
      1e308,
    ),
  )
  const args = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...KEYS), odd))

  it('validation and preparation return a value for any input, have no effects, and do not modify the prototype', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...NAMES), args, async (name, given) => {
        const valid = bench.tool(name).validate(given)
        if (valid.ok) expect(['ready', 'rejected']).toContain((await bench.prepare(name, given)).kind)
        else expect(String(valid.failure).length).toBeGreaterThan(10)
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
      }),
      { numRuns: 300 },
    )
    expect(await bench.env.listDirectory('.')).toEqual([])
  })

  it('a key named __proto__ is data', () => {
    const given: unknown = JSON.parse('{"file_path":"a","__proto__":{"offset":5}}')
    expect(bench.tool('read_file').validate(given)).toEqual({ ok: true, value: { file_path: 'a' } })
  })
})
