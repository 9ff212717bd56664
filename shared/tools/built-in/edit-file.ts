import { isObject } from '../../lib/json.ts'
import { z } from 'zod'
import { FILE_PATH, listFromJson, named, rename } from '../foreign-arguments/argument-aliases.ts'
import { canonicalArguments, refusedArgument } from '../foreign-arguments/canonical-arguments.ts'
import { each, NO_DRY_RUN } from '../foreign-arguments/argument-refusals.ts'
import { fieldOf, filesLine, listOf, textArgument, textOf } from '../spec/call-line.ts'
import { toolSpec, UNLISTED } from '../spec/tool-spec.ts'
import { WriteDetails } from './write-file.ts'

const EditFileInput = z.object({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
  /** Empty for a file that does not exist yet. `new_string` is then its content. */
  old_string: z
    .string()
    .describe('The exact text to replace, without line numbers. It must occur exactly once in the file unless replace_all is set.'),
  new_string: z.string().describe('The text that replaces it.'),
  replace_all: z.boolean().optional().describe('Replace every occurrence. Default: false.'),
  /** Required number of occurrences of `old_string`. */
  expected_replacements: z.number().int().min(1).optional().meta(UNLISTED),
  /** If set, `new_string` is inserted as lines after this line. 0 is the beginning of the file. `old_string` is then empty. */
  insert_line: z.number().int().min(0).optional().meta(UNLISTED),
})
export type EditFileInput = z.infer<typeof EditFileInput>

export const editFileSpec = toolSpec({
  name: 'edit_file',
  verb: 'Edit',
  description: 'Replaces a piece of text in a file.',
  use: 'The default way to change an existing file.',
  input: EditFileInput,
  details: WriteDetails,
  line: (call) => filesLine('Edit', call, [textArgument(call, 'file_path')]),
  otherNames: ['Edit', 'str_replace', 'modify_file', 'replace'],
  editorCommands: ['str_replace', 'insert'],
  aliases: {
    ...FILE_PATH,
    ...named(['old_str', 'old_text', 'oldString', 'oldText', 'search'], rename('old_string')),
    ...named(['new_str', 'new_text', 'newString', 'newText', 'replace', 'insert_text'], rename('new_string')),
    ...named(['replaceAll', 'allow_multiple'], rename('replace_all')),
  },
  complete: (args) => (args['insert_line'] === undefined ? args : { old_string: '', ...args }),
  refuses: {
    ...NO_DRY_RUN,
    ...each(['regex', 'is_regex', 'use_regex'], { why: 'old_string is plain text, not a pattern.' }),
    ...each(['occurrence', 'instance', 'match_index', 'count', 'start_line', 'end_line', 'view_range'], {
      why: 'The place is found by old_string. Include enough lines to make it unique.',
    }),
  },
})

export const MultiEditInput = z.object({
  edits: z.array(EditFileInput).min(1).max(500).describe('The replacements, in order. Each one applies to the result of those before it.'),
})
export type MultiEditInput = z.infer<typeof MultiEditInput>

export const multiEditSpec = toolSpec({
  name: 'multi_edit',
  verb: 'Edit',
  description: 'Makes several replacements, in one file or in several. Either all of them are made or none.',
  use: 'Use it for changes that only make sense together.',
  input: MultiEditInput,
  details: WriteDetails,
  line: (call) =>
    filesLine(
      'Edit',
      call,
      listOf(call.args?.['edits']).map((edit) => textOf(fieldOf(edit, 'file_path'))),
    ),
  otherNames: ['MultiEdit'],
  aliases: named(['edits', 'replacements'], (value) => ({ edits: editsOf(listFromJson(value)) })),
  complete: withSharedPath,
  refuses: NO_DRY_RUN,
  nestedRefusal: ({ edits }) =>
    (Array.isArray(edits) ? edits : [])
      .filter(isObject)
      .map((edit) => refusedArgument(editFileSpec, edit))
      .find((why) => why !== null) ?? null,
})

function editsOf(value: unknown): unknown {
  if (isObject(value)) return editsOf([value])
  return Array.isArray(value) ? value.map((edit: unknown) => (isObject(edit) ? canonicalArguments(editFileSpec, edit) : edit)) : value
}

/** Copies the path into each edit, because other agents pass one path for all edits. */
function withSharedPath(args: Record<string, unknown>): Record<string, unknown> {
  const path = ['file_path', ...Object.keys(FILE_PATH)].map((name) => args[name]).find((value) => value !== undefined)
  if (path === undefined || !Array.isArray(args['edits'])) return args
  return { edits: args['edits'].map((edit: unknown) => (isObject(edit) ? { file_path: path, ...edit } : edit)) }
}
