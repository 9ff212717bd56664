import type { JsonValue } from '../../shared/session/content.ts'
import { ALL_TOOLS } from '../../shared/tools/catalogue.ts'
import { applyPatchSpec } from '../../shared/tools/apply-patch.ts'
import { editFileSpec } from '../../shared/tools/edit-file.ts'
import { otherNamesOf } from '../../shared/tools/spec/tool-spec.ts'
import { writeFileSpec } from '../../shared/tools/write-file.ts'

type Arguments = { readonly [key: string]: JsonValue }

/** Claude Code's name of a tool: the one that begins with a capital letter. Our own name if there is none. */
export function foreignName(toolName: string): string {
  const spec = ALL_TOOLS.find(({ name }) => name === toolName)
  return (spec && otherNamesOf(spec).find((name) => /^[A-Z]/u.test(name))) ?? toolName
}

/** All names by which a matcher may mean a tool. A patch edits and creates files. */
export function foreignNames(toolName: string): readonly string[] {
  const own = [foreignName(toolName), toolName]
  return toolName === applyPatchSpec.name ? [...own, foreignName(editFileSpec.name), foreignName(writeFileSpec.name)] : own
}

/** Arguments under the names that Claude Code gives them. */
export function foreignInput(args: Arguments): Arguments {
  const { timeout_ms: timeout, ...others } = args
  return timeout === undefined ? others : { ...others, timeout }
}

/** The arguments that a hook gives, under our names. */
export function ownInput(input: Arguments): Arguments {
  const { timeout, ...others } = input
  return timeout === undefined ? others : { ...others, timeout_ms: timeout }
}
