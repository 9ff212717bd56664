import type { ProviderProfile } from './family-profile.ts'

/**
 * The input of `apply_patch` as a Lark grammar. A model that is constrained to this grammar writes only valid patches. No terminal of the
 * grammar may match the empty string.
 */
const PATCH_GRAMMAR = String.raw`start: "*** Begin Patch" LF file+ "*** End Patch" LF?
file: added | deleted | updated
added: "*** Add File: " PATH LF ("+" TEXT? LF)+
deleted: "*** Delete File: " PATH LF
updated: "*** Update File: " PATH LF (moved changes? | changes)
moved: "*** Move to: " PATH LF
changes: first hunk* | hunk+
first: context* changed (context | changed)* end?
hunk: place+ first
place: "@@" (" " TEXT)? LF
context: " " TEXT? LF
changed: ("+" | "-") TEXT? LF
end: "*** End of File" LF
PATH: /\S[^\n]*/
TEXT: /[^\n]+/
%import common.LF
`

/** The form of one of our tools for a model family. Default: our own names. */
export interface FamilyForm {
  readonly name?: string
  /** The family's names for our arguments. */
  readonly arguments?: Readonly<Record<string, string>>
  /** Arguments that count from 1 in our tools and from 0 in the family's. */
  readonly zeroBased?: readonly string[]
  /** The Lark grammar of a plain-text call, for models that support such calls. */
  readonly grammar?: string
}

type Family = ProviderProfile['id']

/**
 * Each model family's names for our tools and their arguments. They are used where tools are offered and where calls arrive. The log,
 * limits, driver and interface use only canonical names. `tool-names.ts` and `argument-names.ts` list more names that are accepted from
 * any model.
 */
const FORMS: Readonly<Record<Family, Readonly<Record<string, FamilyForm>>>> = {
  anthropic: {},
  openai: { apply_patch: { grammar: PATCH_GRAMMAR } },
  gemini: {
    read_file: { arguments: { file_path: 'path' }, zeroBased: ['offset'] },
    edit_file: { name: 'replace' },
    shell: { name: 'run_shell_command', arguments: { working_dir: 'directory', run_in_background: 'is_background' } },
    list_dir: { name: 'list_directory' },
    web_search: { name: 'google_web_search' },
  },
}

const AS_OURS: FamilyForm = {}

export function formOf(family: Family, toolName: string): FamilyForm {
  const forms = FORMS[family]
  return (Object.hasOwn(forms, toolName) ? forms[toolName] : undefined) ?? AS_OURS
}

/** A family's name for a tool. */
export function familyName(family: Family, toolName: string): string {
  return formOf(family, toolName).name ?? toolName
}
