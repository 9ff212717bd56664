import type { z } from 'zod'
import type { ToolSpec } from '../spec/tool-spec.ts'
import { isSet, type RefusedArgument } from './argument-refusals.ts'

type Arguments = Readonly<Record<string, unknown>>
type Names = Pick<ToolSpec, 'aliases' | 'complete'>

/**
 * Renames arguments to our names, from any naming style. Null arguments are dropped. Our own name wins over an alias. Unknown names are
 * kept.
 */
export function canonicalArguments({ aliases = {}, complete }: Names, args: Arguments): Record<string, unknown> {
  const given = Object.entries(args).flatMap(([name, value]) => {
    const known = Object.hasOwn(aliases, name) ? name : inOurStyle(name)
    const isLeftOut = value === null || value === undefined || (known !== name && Object.hasOwn(args, known))
    return isLeftOut ? [] : [[known, value] as const]
  })
  const own = given.filter(([name]) => !Object.hasOwn(aliases, name))
  const others = given.flatMap(([name, value]) => (Object.hasOwn(aliases, name) ? Object.entries(aliases[name]?.(value, args) ?? {}) : []))
  const named = Object.fromEntries([...others, ...own])
  return complete ? complete(named) : named
}

/** `contextLines` becomes `context_lines`. Any other name is kept. */
function inOurStyle(name: string): string {
  return /^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name
}

/** Remarks about a call that models of other agents write. They have no effect there either. */
const REMARKS: readonly string[] = ['description', 'explanation', 'reason', 'rationale', 'thought', 'comment', 'title', 'purpose']

/**
 * The names of arguments that the tool does not have, so that they have no effect. Remarks and unset values are left out. `args` must use
 * our names.
 */
export function ignoredArguments(
  { input, refuses = {} }: Pick<ToolSpec<z.ZodObject>, 'input' | 'refuses'>,
  args: Arguments,
): readonly string[] {
  return Object.keys(args).filter(
    (name) => !Object.hasOwn(input.shape, name) && !Object.hasOwn(refuses, name) && !REMARKS.includes(name) && isSet(args[name]),
  )
}

/**
 * Why a call is refused because of an argument that only other agents have and that would change the meaning of the call. Null if the call
 * is not refused. All other unknown arguments are dropped and named in the result. `args` must use our names.
 */
export function refusedArgument(
  { refuses = {}, ...spec }: Pick<ToolSpec, 'refuses' | 'nestedRefusal'>,
  args: Arguments,
): RefusedArgument | null {
  for (const [name, value] of Object.entries(args)) {
    const refusal = Object.hasOwn(refuses, name) ? refuses[name] : undefined
    if (refusal && (refusal.when ?? isSet)(value)) return { argument: name, why: refusal.why }
  }
  return spec.nestedRefusal?.({ ...args }) ?? null
}
