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

const NO_TRIAL = each(['dry_run', 'dryRun', 'preview'], { why: 'There is no dry run: the developer sees each change before it is made.' })
const ONE_PLACE = { why: 'The place is found by old_string. Include enough lines to make it unique.' }
const NO_EXCLUSION = ['exclude', 'excludes', 'exclude_pattern', 'exclude_patterns', 'exclude_glob']
const UTF8 = isOneOf('utf-8', 'utf8', 'utf_8', 'ascii')

const COMMAND: Refusals = {
  ...each(['env', 'environment', 'env_vars'], { why: 'Write NAME=value before the command.' }),
  ...each(['args', 'arguments', 'argv'], { why: 'Write them in command.' }),
  ...each(['stdin', 'input'], { why: 'Standard input is empty. Pipe into the command, or use a here-document.' }),
  shell: { why: 'Commands are run by bash. Start another shell inside the command.', when: isOneOf('bash', 'sh', '/bin/bash', '/bin/sh') },
}

/**
 * Arguments of other agents that would change what a call means and that we have no meaning for, by canonical tool: dropped, they would
 * make an answer that looks right and is not. All other unknown ones are dropped (D-51).
 */
const REFUSED: Readonly<Record<string, Refusals>> = {
  read_file: {
    ...each(['pages', 'page', 'page_range'], { why: 'Documents are read completely.' }),
    encoding: {
      why: 'The encoding is detected automatically.',
      when: isOneOf('utf-8', 'utf8', 'utf_8', 'ascii', 'auto'),
    },
  },
  write_file: {
    ...NO_TRIAL,
    append: { why: 'The whole file is written. Edit the file to add to it.' },
    mode: {
      why: 'The whole file is written and keeps its permissions. Edit the file to add to it.',
      when: isOneOf('w', 'write', 'overwrite', 'create'),
    },
    overwrite: { why: 'An existing file is replaced. Check first whether it exists.', when: (value) => value === false },
    encoding: { why: 'A file keeps its encoding; a new file is written in UTF-8.', when: UTF8 },
    ...each(['insert_line', 'line', 'offset', 'start_line', 'end_line'], {
      why: 'The whole file is written. Edit the file to change a part of it.',
    }),
  },
  edit_file: {
    ...NO_TRIAL,
    ...each(['regex', 'is_regex', 'use_regex'], { why: 'old_string is plain text, not a pattern.' }),
    ...each(['occurrence', 'instance', 'match_index', 'count', 'start_line', 'end_line', 'view_range'], ONE_PLACE),
  },
  apply_patch: {
    ...NO_TRIAL,
    ...each(['cwd', 'workdir', 'working_dir', 'working_directory', 'base_path', 'root', 'strip'], {
      why: 'Paths in the patch are relative to the working directory.',
      when: isOneOf('.', './'),
    }),
    ...each(['reverse', 'revert'], { why: 'Write the reversed patch.' }),
  },
  delete_file: NO_TRIAL,
  notebook_edit: NO_TRIAL,
  multi_edit: NO_TRIAL,
  read_many_files: each([...NO_EXCLUSION, 'ignore'], { why: 'List only the files to read.' }),
  grep: {
    ...each(NO_EXCLUSION, { why: 'Put what to exclude into include, with ! in front.' }),
    ...each(['no_ignore', 'include_ignored'], {
      why: 'What .gitignore excludes is skipped. To search it, give the file or folder as path.',
    }),
    respect_git_ignore: {
      why: 'What .gitignore excludes is skipped. To search it, give the file or folder as path.',
      when: (value) => value === false,
    },
    ...each(['only_matching', 'max_depth', 'replace'], { why: 'Run a command for that.' }),
  },
  glob: {
    ...each([...NO_EXCLUSION, 'ignore'], { why: 'Write a pattern that matches only what you want.' }),
    type: { why: 'Only files are listed.', when: isOneOf('f', 'file', 'files') },
  },
  list_dir: each(['offset', 'start'], { why: 'Name a subfolder, or a smaller depth.', when: isBehindTheFirst }),
  shell: COMMAND,
  bash: { ...COMMAND, restart: { why: 'Stop the bash process with kill_shell first.' } },
  todo_write: { merge: { why: 'The complete list is replaced.' } },
  web_fetch: {
    method: { why: 'Pages are fetched with GET.', when: isOneOf('get') },
    ...each(['headers', 'body', 'data', 'json', 'form'], { why: 'Pages are fetched with GET only.' }),
    ...each(['start_index', 'offset'], { why: 'Read the rest of a long page with read_output.', when: isBehindTheFirst }),
  },
  web_search: each(['allowed_domains', 'include_domains', 'blocked_domains', 'exclude_domains', 'domains', 'site'], {
    why: 'Write site:example.com or -site:example.com in the query.',
  }),
  task: each(['resume', 'resume_from'], { why: 'To continue with a subagent, spawn it and send it more input.' }),
}

/** Why a call is refused for an argument that cannot be dropped; null: for none. The arguments are canonical. */
export function refusedArgument(toolName: string, args: Readonly<Record<string, unknown>>): string | null {
  const refusals = Object.hasOwn(REFUSED, toolName) ? (REFUSED[toolName] ?? {}) : {}
  for (const [name, value] of Object.entries(args)) {
    const refusal = Object.hasOwn(refusals, name) ? refusals[name] : undefined
    if (refusal && (refusal.when ?? isSet)(value)) return `There is no argument ${name}. ${refusal.why}`
  }
  return toolName === 'multi_edit' ? refusedEdit(args['edits']) : null
}

function refusedEdit(edits: unknown): string | null {
  if (!Array.isArray(edits)) return null
  const objects = edits.filter((edit): edit is Record<string, unknown> => typeof edit === 'object' && edit !== null && !Array.isArray(edit))
  return objects.map((edit) => refusedArgument('edit_file', edit)).find((why) => why !== null) ?? null
}
