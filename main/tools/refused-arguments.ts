/** What another agent's argument would change, and what to do instead; `when`: the values that mean it, all that are not empty when left out. */
interface Refusal {
  readonly why: string
  when?(value: unknown): boolean
}
type Refusals = Readonly<Record<string, Refusal>>

const isSet = (value: unknown): boolean => value !== '' && value !== false && !(typeof value === 'object' && isEmpty(value))
const isEmpty = (value: object | null): boolean => value === null || Object.keys(value).length === 0
const isBehindTheFirst = (value: unknown): boolean => typeof value !== 'number' || value > 1
const isOneOf =
  (...plain: readonly unknown[]) =>
  (value: unknown): boolean =>
    isSet(value) && !plain.includes(typeof value === 'string' ? value.toLowerCase() : value)

function each(names: readonly string[], refusal: Refusal): Refusals {
  return Object.fromEntries(names.map((name) => [name, refusal]))
}

const NO_TRIAL = each(['dry_run', 'dryRun', 'preview'], { why: 'Every change is made, once it is signed.' })
const ONE_PLACE = { why: 'The place is found by old_string: give it lines enough to be unique.' }
const NO_EXCLUSION = ['exclude', 'excludes', 'exclude_pattern', 'exclude_patterns', 'exclude_glob']
const UTF8 = isOneOf('utf-8', 'utf8', 'utf_8', 'ascii')

const COMMAND: Refusals = {
  ...each(['env', 'environment', 'env_vars'], { why: 'Write NAME=value in front of the command.' }),
  ...each(['args', 'arguments', 'argv'], { why: 'Write them in command.' }),
  ...each(['stdin', 'input'], { why: 'Standard input is at its end: pipe into the command, or use a here-document.' }),
  shell: { why: 'It is bash that runs the command: start another shell in it.', when: isOneOf('bash', 'sh', '/bin/bash', '/bin/sh') },
}

/**
 * Arguments of other agents that would change what a call means and that we have no meaning for, by canonical tool: dropped, they would
 * make an answer that looks right and is not. All other unknown ones are dropped (D-51).
 */
const REFUSED: Readonly<Record<string, Refusals>> = {
  read_file: {
    ...each(['pages', 'page', 'page_range'], { why: 'A document is read whole.' }),
    encoding: {
      why: 'The encoding is recognised, and what is no text is not read.',
      when: isOneOf('utf-8', 'utf8', 'utf_8', 'ascii', 'auto'),
    },
  },
  write_file: {
    ...NO_TRIAL,
    append: { why: 'The whole file is written. Use edit_file to add to it.' },
    mode: {
      why: 'The whole file is written, with the mode that it has. Use edit_file to add to it.',
      when: isOneOf('w', 'write', 'overwrite', 'create'),
    },
    overwrite: { why: 'The whole file is written: look first whether it exists.', when: (value) => value === false },
    encoding: { why: 'Text is written as it was encoded, a new file in UTF-8.', when: UTF8 },
    ...each(['insert_line', 'line', 'offset', 'start_line', 'end_line'], {
      why: 'The whole file is written. Use edit_file to change a part of it.',
    }),
  },
  edit_file: {
    ...NO_TRIAL,
    ...each(['regex', 'is_regex', 'use_regex'], { why: 'old_string is taken as it stands.' }),
    ...each(['occurrence', 'instance', 'match_index', 'count', 'start_line', 'end_line', 'insert_line', 'view_range'], ONE_PLACE),
  },
  apply_patch: {
    ...NO_TRIAL,
    ...each(['cwd', 'workdir', 'working_dir', 'working_directory', 'base_path', 'root', 'strip'], {
      why: 'Paths in the patch begin in the working directory.',
      when: isOneOf('.', './'),
    }),
    ...each(['reverse', 'revert'], { why: 'Write the patch the other way round.' }),
  },
  delete_file: NO_TRIAL,
  notebook_edit: NO_TRIAL,
  multi_edit: NO_TRIAL,
  read_many_files: each([...NO_EXCLUSION, 'ignore'], { why: 'Name only what is to be read.' }),
  grep: {
    ...each(NO_EXCLUSION, { why: 'Name what is left out as include, with ! in front.' }),
    ...each(['no_ignore', 'include_ignored'], { why: 'What .gitignore names is left out: name the file or folder as path.' }),
    respect_git_ignore: { why: 'What .gitignore names is left out: name the file or folder as path.', when: (value) => value === false },
    ...each(['only_matching', 'max_depth', 'replace'], { why: 'For that use a command.' }),
  },
  glob: {
    ...each([...NO_EXCLUSION, 'ignore'], { why: 'Write a pattern that matches only what is wanted.' }),
    type: { why: 'Files alone are listed. Use list_dir for folders.', when: isOneOf('f', 'file', 'files') },
  },
  list_dir: each(['offset', 'start'], { why: 'Name a folder below, or a smaller depth.', when: isBehindTheFirst }),
  shell: COMMAND,
  bash: { ...COMMAND, restart: { why: 'End the bash with kill_shell first.' } },
  todo_write: { merge: { why: 'The whole list is written.' } },
  web_fetch: {
    method: { why: 'Pages are fetched with GET.', when: isOneOf('get') },
    ...each(['headers', 'body', 'data', 'json', 'form'], { why: 'Pages are fetched with GET and nothing else.' }),
    ...each(['start_index', 'offset'], { why: 'Read the rest of a long page with read_output.', when: isBehindTheFirst }),
  },
  web_search: each(['allowed_domains', 'include_domains', 'blocked_domains', 'exclude_domains', 'domains', 'site'], {
    why: 'Write site:example.com or -site:example.com in the query.',
  }),
  task: each(['resume', 'resume_from'], { why: 'Tell a running agent more with send_input.' }),
}

/** Why a call is refused for an argument that cannot be dropped; null: for none. The arguments are canonical. */
export function refusedArgument(toolName: string, args: Readonly<Record<string, unknown>>): string | null {
  const refusals = Object.hasOwn(REFUSED, toolName) ? (REFUSED[toolName] ?? {}) : {}
  for (const [name, value] of Object.entries(args)) {
    const refusal = Object.hasOwn(refusals, name) ? refusals[name] : undefined
    if (refusal && (refusal.when ?? isSet)(value)) return `${toolName} has no ${name}. ${refusal.why}`
  }
  return toolName === 'multi_edit' ? refusedEdit(args['edits']) : null
}

function refusedEdit(edits: unknown): string | null {
  if (!Array.isArray(edits)) return null
  const objects = edits.filter((edit): edit is Record<string, unknown> => typeof edit === 'object' && edit !== null && !Array.isArray(edit))
  return objects.map((edit) => refusedArgument('edit_file', edit)).find((why) => why !== null) ?? null
}
