import type { ToolSpec } from './tool-spec.ts'

/** Editing tools of other agents that correspond to several of ours. Their argument `command` tells which. */
const EDITOR_NAMES: readonly string[] = ['str_replace_based_edit_tool', 'str_replace_editor']

type Names = Pick<ToolSpec, 'otherNames' | 'editorCommands'>

/** The names of a tool in other agents. */
export function otherNamesOf({ otherNames = [], editorCommands = [] }: Names): readonly string[] {
  return editorCommands.length > 0 ? [...otherNames, ...EDITOR_NAMES] : otherNames
}

/** Whether a call by one of a tool's other names means that tool, given its arguments. */
export function isMeant({ editorCommands = [] }: Names, calledAs: string, args: Readonly<Record<string, unknown>>): boolean {
  const { command } = args
  return !EDITOR_NAMES.includes(calledAs) || (typeof command === 'string' && editorCommands.includes(command))
}
