/**
 * Why an argument of another agent is refused and what to do instead. `when` selects the refused values. By default, all values except
 * `false` and empty ones are refused.
 */
export interface Refusal {
  readonly why: string
  when?(value: unknown): boolean
}
/** An argument of a call that is refused. `why` is for the model. */
export interface RefusedArgument {
  readonly argument: string
  readonly why: string
}

export type Refusals = Readonly<Record<string, Refusal>>

/** The same refusal for several names. */
export function each(names: readonly string[], refusal: Refusal): Refusals {
  return Object.fromEntries(names.map((name) => [name, refusal]))
}

export const isSet = (value: unknown): boolean => value !== '' && value !== false && !(typeof value === 'object' && isEmpty(value))
const isEmpty = (value: object | null): boolean => value === null || Object.keys(value).length === 0

export const isNotFirst = (value: unknown): boolean => typeof value !== 'number' || value > 1

/** Returns a test that is true for every value except these, `false` and empty ones. Case is ignored. */
export const isOtherThan =
  (...plain: readonly unknown[]) =>
  (value: unknown): boolean =>
    isSet(value) && !plain.includes(typeof value === 'string' ? value.toLowerCase() : value)

export const NO_DRY_RUN: Refusals = each(['dry_run', 'dryRun', 'preview'], {
  why: 'There is no dry run: the developer sees each change before it is made.',
})

export const EXCLUSIONS: readonly string[] = ['exclude', 'excludes', 'exclude_pattern', 'exclude_patterns', 'exclude_glob']

export const COMMAND_REFUSALS: Refusals = {
  ...each(['env', 'environment', 'env_vars'], { why: 'Write NAME=value before the command.' }),
  ...each(['args', 'arguments', 'argv'], { why: 'Write them in command.' }),
  ...each(['stdin', 'input'], { why: 'Standard input is empty. Pipe into the command, or use a here-document.' }),
  shell: {
    why: 'Commands are run by bash. Start another shell inside the command.',
    when: isOtherThan('bash', 'sh', '/bin/bash', '/bin/sh'),
  },
}
