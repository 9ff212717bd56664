import type { ProviderProfile } from './profile.ts'

/** What `apply_patch` reads, as a Lark grammar: a model that is held to it writes no patch that cannot be read. No terminal can be empty. */
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

/** How a family of models knows one of our tools. What is left out is as we call it. */
export interface FamilyForm {
  readonly name?: string
  /** Its names of our arguments. */
  readonly arguments?: Readonly<Record<string, string>>
  /** Our arguments, counted from 1, that it counts from 0. */
  readonly zeroBased?: readonly string[]
  /** The Lark grammar of a call that is plain text, for models that write such calls. */
  readonly grammar?: string
}

type Family = ProviderProfile['id']

/**
 * The one table of names and arguments by which a family of models knows our tools. It is applied where tools are offered and where calls
 * arrive; log, limits, driver and screen know the canonical names only. Further names that are accepted from any model are in `tool-names.ts`
 * and `argument-names.ts`.
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

/** The name by which a family knows a tool. */
export function familyName(family: Family, toolName: string): string {
  return formOf(family, toolName).name ?? toolName
}
