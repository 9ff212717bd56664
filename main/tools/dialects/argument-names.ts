import { withCommandLine } from '../commands/command-arguments.ts'
import { grepFlags } from '../search/grep-flags.ts'

/** What another agent's argument is in ours. */
type Alias = (value: unknown, args: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

const rename =
  (to: string): Alias =>
  (value) => ({ [to]: value })
const negated =
  (to: string): Alias =>
  (value) => ({ [to]: typeof value === 'boolean' ? !value : value })

/** Other agents' options of what a listing leaves out. */
const filtering: Alias = (value) =>
  isObject(value) && 'respect_git_ignore' in value ? { respect_git_ignore: value['respect_git_ignore'] } : {}

const FILE_PATH = { path: rename('file_path'), filename: rename('file_path'), file: rename('file_path'), filePath: rename('file_path') }
const FOLDER = { dir: rename('path'), directory: rename('path'), dir_path: rename('path') }

/** The first and the last line instead of the first and a number of lines; `withLastLine` reckons. */
const LINES = {
  ...Object.fromEntries(
    ['start_line', 'startLine', 'line_start', 'start_line_one_indexed', 'from_line'].map((name) => [name, rename('offset')]),
  ),
  ...Object.fromEntries(
    ['endLine', 'line_end', 'end_line_one_indexed', 'end_line_one_indexed_inclusive', 'to_line'].map((name) => [name, rename('end_line')]),
  ),
  ...Object.fromEntries(['max_lines', 'num_lines', 'line_count'].map((name) => [name, rename('limit')])),
  view_range: linesOf,
  line_range: linesOf,
}

/** `[first, last]`; -1 is the end of the file. */
function linesOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!Array.isArray(value) || value.length !== 2) return { offset: value }
  const [first, last] = value as readonly unknown[]
  return last === -1 ? { offset: first } : { offset: first, end_line: last }
}

const NOTEBOOK = {
  ...FILE_PATH,
  notebook_path: rename('file_path'),
  cell_id: rename('cell_idx'),
  cell_number: rename('cell_idx'),
  cell: rename('cell_idx'),
  cell_index: rename('cell_idx'),
  index: rename('cell_idx'),
  new_source: rename('content'),
  source: rename('content'),
  cellType: rename('cell_type'),
  operation: rename('edit_mode'),
}

const seconds: Alias = (value) => ({ timeout_ms: typeof value === 'number' ? value * 1000 : value })

/** Many agents' `timeout` is in seconds, some have milliseconds: nobody means to wait less than a second, or 17 minutes. */
const timeout: Alias = (value) => ({ timeout_ms: typeof value === 'number' && value < 1000 ? Math.ceil(value * 1000) : value })

const COMMAND = {
  cmd: rename('command'),
  timeout,
  timeoutMs: rename('timeout_ms'),
  timeout_seconds: seconds,
  timeout_sec: seconds,
  timeout_secs: seconds,
  cwd: rename('working_dir'),
  workdir: rename('working_dir'),
  working_directory: rename('working_dir'),
  directory: rename('working_dir'),
  dir: rename('working_dir'),
  dir_path: rename('working_dir'),
  background: rename('run_in_background'),
  is_background: rename('run_in_background'),
  isBackground: rename('run_in_background'),
}

const SHELL_ID = { bash_id: rename('id'), shell_id: rename('id'), task_id: rename('id') }

const AGENT = { subagent_type: rename('agent_type'), agentType: rename('agent_type'), type: rename('agent_type') }
const AGENT_ID = { id: rename('agent_id'), agentId: rename('agent_id') }

/** A list, be it given as such or as one text. */
const list =
  (to: string): Alias =>
  (value) => {
    const given = written(value)
    return { [to]: typeof given === 'string' ? [given] : given }
  }

/** A list that a model has written as JSON text, as some do with what is nested. */
function written(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*\[/u.test(value)) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? parsed : value
  } catch {
    return value
  }
}

const STATUSES: ReadonlyMap<unknown, string> = new Map([
  ['todo', 'pending'],
  ['not_started', 'pending'],
  ['open', 'pending'],
  ['in-progress', 'in_progress'],
  ['active', 'in_progress'],
  ['doing', 'in_progress'],
  ['done', 'completed'],
  ['complete', 'completed'],
])

/** Other agents number no entries and give them no priority. */
function todosOf(given: unknown): unknown {
  const value = written(given)
  if (!Array.isArray(value)) return value
  return value.map((todo: unknown, index) => {
    if (!isObject(todo)) return todo
    const { id, content, title, text, task, step, description, status, priority } = todo
    return {
      id: typeof id === 'number' ? String(id) : (id ?? String(index + 1)),
      content: content ?? title ?? text ?? task ?? step ?? description,
      status: STATUSES.get(status) ?? status ?? 'pending',
      priority: priority ?? 'medium',
    }
  })
}

function editsOf(value: unknown): unknown {
  if (isObject(value)) return editsOf([value])
  return Array.isArray(value) ? value.map((edit: unknown) => (isObject(edit) ? canonicalArguments('edit_file', edit) : edit)) : value
}

/** One question, and the answers to choose from beside it. */
function questionOf(
  question: unknown,
  { options, follow_up: followUp }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return questionsOf([{ question, options: options ?? followUp }])
}

/** Options may be plain texts. */
function questionsOf(value: unknown): Readonly<Record<string, unknown>> {
  const given = written(value)
  const questions: unknown = isObject(given) ? [given] : given
  if (!Array.isArray(questions)) return { questions }
  return { questions: questions.map((question: unknown) => (isObject(question) ? withOptions(question) : { question })) }
}

function withOptions({ options, multi_select: several, ...question }: Record<string, unknown>): Record<string, unknown> {
  const listed = written(options)
  const known = Array.isArray(listed)
    ? listed.map((option: unknown) => (typeof option === 'string' ? { label: option } : option))
    : undefined
  return { ...question, ...(several !== undefined && { multiSelect: several }), ...(known && { options: known }) }
}

/** Levels that list_dir shows at most. */
const DEEPEST = 10

/** An option of a search that is set or not. */
const flag =
  (flags: string): Alias =>
  (value) =>
    value === true ? grepFlags(flags) : {}

/** Names of arguments that models know from other agents, by canonical tool (D-29, R-11…, D-51). The canonical name wins where both are given. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, Alias>>>> = {
  read_file: { ...FILE_PATH, ...LINES },
  write_file: { ...FILE_PATH, contents: rename('content'), text: rename('content'), file_text: rename('content') },
  apply_patch: {
    input: rename('patch'),
    diff: rename('patch'),
    patch_text: rename('patch'),
    patchText: rename('patch'),
    // As on a command line: the program's name, then the patch.
    command: (value) => ({ patch: Array.isArray(value) ? value.at(-1) : value }),
  },
  edit_file: {
    ...FILE_PATH,
    ...Object.fromEntries(['old_str', 'old_text', 'oldString', 'oldText', 'search'].map((name) => [name, rename('old_string')])),
    ...Object.fromEntries(['new_str', 'new_text', 'newString', 'newText', 'replace'].map((name) => [name, rename('new_string')])),
    insert_text: rename('new_string'),
    replaceAll: rename('replace_all'),
    allow_multiple: rename('replace_all'),
  },
  multi_edit: {
    edits: (value) => ({ edits: editsOf(written(value)) }),
    replacements: (value) => ({ edits: editsOf(written(value)) }),
  },
  todo_write: Object.fromEntries(['todos', 'items', 'plan'].map((name) => [name, (value: unknown) => ({ todos: todosOf(value) })])),
  read_output: {
    ...LINES,
    call_id: rename('call'),
    tool_call_id: rename('call'),
    id: rename('call'),
    filter: rename('pattern'),
    query: rename('pattern'),
  },
  web_fetch: { uri: rename('url'), address: rename('url'), link: rename('url') },
  web_search: { q: rename('query'), search_query: rename('query'), search_term: rename('query') },
  ask_user_question: { question: questionOf, questions: questionsOf },
  save_memory: Object.fromEntries(['memory', 'content', 'note', 'text'].map((name) => [name, rename('fact')])),
  delete_file: FILE_PATH,
  read_many_files: {
    paths: list('paths'),
    files: list('paths'),
    file_paths: list('paths'),
    include: list('paths'),
    pattern: list('paths'),
  },
  notebook_read: NOTEBOOK,
  // Who names the cell so inserts behind it.
  notebook_edit: { ...NOTEBOOK, cell_id: (value) => ({ cell_idx: value, insert_behind: true }) },
  shell: COMMAND,
  bash: COMMAND,
  bash_output: { ...SHELL_ID, pattern: rename('filter'), regex: rename('filter'), timeout },
  kill_shell: SHELL_ID,
  list_dir: {
    ...FOLDER,
    recursive: (value) => (value === true ? { depth: DEEPEST } : {}),
    max_depth: rename('depth'),
    file_path: rename('path'),
    target_directory: rename('path'),
    file_filtering_options: filtering,
  },
  grep: {
    ...FOLDER,
    query: rename('pattern'),
    regex: rename('pattern'),
    glob: rename('include'),
    glob_filter: rename('include'),
    include_pattern: rename('include'),
    case_insensitive: negated('case_sensitive'),
    ignore_case: negated('case_sensitive'),
    '-i': negated('case_sensitive'),
    context: rename('context_lines'),
    '-C': rename('context_lines'),
    '-A': rename('after_context'),
    '-B': rename('before_context'),
    before: rename('before_context'),
    after: rename('after_context'),
    '-m': rename('max_count'),
    max_matches_per_file: rename('max_count'),
    '-g': rename('include'),
    '-t': rename('type'),
    ...Object.fromEntries(['-l', '-c', '-w', '-x', '-v', '-F', '-S', '-U', '-o'].map((name) => [name, flag(name)])),
    files_with_matches: flag('-l'),
    files_only: flag('-l'),
    names_only: flag('-l'),
    count: flag('-c'),
    whole_word: flag('-w'),
    word_regexp: flag('-w'),
    line_regexp: flag('-x'),
    invert_match: flag('-v'),
    file_type: rename('type'),
    include_glob: rename('include'),
    literal: rename('fixed_strings'),
    head_limit: rename('max_results'),
    limit: rename('max_results'),
    total_max_matches: rename('max_results'),
    max_matches: rename('max_results'),
    mode: rename('output_mode'),
    flags: grepFlags,
  },
  glob: { ...FOLDER, glob_pattern: rename('pattern'), file_filtering_options: filtering },
  task: { ...AGENT, task: rename('prompt'), instruction: rename('prompt'), message: rename('prompt') },
  spawn_agent: {
    ...AGENT,
    prompt: rename('task'),
    instruction: rename('task'),
    message: rename('task'),
    cwd: rename('working_dir'),
    workdir: rename('working_dir'),
  },
  send_input: { ...AGENT_ID, input: rename('message'), instruction: rename('message'), prompt: rename('message'), text: rename('message') },
  wait: { ...AGENT_ID, timeout },
  close_agent: AGENT_ID,
}

/** `contextLines` in the style of our names; any other name as it is. */
function inOurStyle(name: string): string {
  return /^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name
}

/** Arguments by their canonical names, in whichever style they come. What is null counts as left out. Unknown names pass as they are. */
export function canonicalArguments(toolName: string, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const aliases = Object.hasOwn(ARGUMENTS, toolName) ? (ARGUMENTS[toolName] ?? {}) : {}
  const given = Object.entries(args).flatMap(([name, value]) => {
    const known = Object.hasOwn(aliases, name) ? name : inOurStyle(name)
    const isLeftOut = value === null || value === undefined || (known !== name && Object.hasOwn(args, known))
    return isLeftOut ? [] : [[known, value] as const]
  })
  const own = given.filter(([name]) => !Object.hasOwn(aliases, name))
  const others = given.flatMap(([name, value]) => (Object.hasOwn(aliases, name) ? Object.entries(aliases[name]?.(value, args) ?? {}) : []))
  const named = Object.fromEntries([...others, ...own])
  if (toolName === 'edit_file' && named['insert_line'] !== undefined) return { old_string: '', ...named }
  if (toolName === 'multi_edit') return withSharedPath(named)
  if (aliases === COMMAND) return withCommandLine(named)
  return aliases === ARGUMENTS['read_file'] || aliases === ARGUMENTS['read_output'] ? withLastLine(named) : named
}

/** Where a last line is named: as many lines as there are to it. */
function withLastLine({ end_line: last, ...args }: Record<string, unknown>): Record<string, unknown> {
  if (last === undefined) return args
  const { offset = 1, limit = Infinity } = args
  if (typeof last !== 'number' || typeof offset !== 'number' || typeof limit !== 'number') return { ...args, limit: last }
  return { ...args, limit: Math.min(limit, last - offset + 1) }
}

/** One file named for all edits, as other agents do. */
function withSharedPath(args: Record<string, unknown>): Record<string, unknown> {
  const path = ['file_path', ...Object.keys(FILE_PATH)].map((name) => args[name]).find((value) => value !== undefined)
  if (path === undefined || !Array.isArray(args['edits'])) return args
  return { edits: args['edits'].map((edit: unknown) => (isObject(edit) ? { file_path: path, ...edit } : edit)) }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
