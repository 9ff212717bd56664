import { join, relative } from 'node:path'
import type { CommandCopies } from '../agent/ports/command-copies.ts'
import type { ExecutionEnvironment, GrepMatch } from '../agent/ports/execution-environment.ts'
import { mayHoldSecrets } from '../approval/command-line/known-places.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import { ruleFor, type RulePlace, type RuleWhen } from './rule-matches.ts'
import { wordsOf } from './ruled-policy.ts'

/** The patterns of the rules that deny files. */
export const deniedFiles = (rules: readonly RuleWhen[]): readonly string[] =>
  rules.flatMap(({ answer, when }) => (answer === 'deny' && when.kind === 'path' ? [when.pattern] : []))

/** Copies whose commands can neither read nor change what the rules deny. */
export function copiesWithoutDenied(copies: CommandCopies, rules: () => readonly RuleWhen[]): CommandCopies {
  return {
    ...copies,
    run: (command, options) => copies.run(command, { ...options, denied: deniedFiles(rules()) }),
    confine: (options) => copies.confine({ ...options, denied: deniedFiles(rules()) }),
  }
}

/** A folder whose programs can neither read nor change what the rules deny. */
export const withoutDenied = <T extends { readonly copies: CommandCopies | null }>(folder: T, rules: () => readonly RuleWhen[]): T => ({
  ...folder,
  copies: folder.copies && copiesWithoutDenied(folder.copies, rules),
})

/**
 * An environment that reads and searches no file that the rules deny: reading rejects with `EACCES`, and a search skips the file. A search
 * also withholds what it finds in files that may hold secrets, unless such a file is searched by its name.
 */
export function environmentWithoutDenied(
  env: ExecutionEnvironment,
  rules: () => readonly RuleWhen[],
  place: RulePlace,
): ExecutionEnvironment {
  const isDenied = (path: string, among: readonly RuleWhen[]): boolean => {
    const effect = { kind: 'read', path, shown: path, outside: false, control: false } as const
    return ruleFor(effect, among, 'deny', place) !== null
  }
  const mustBeAllowed = (path: string): void => {
    if (isDenied(path, rules())) throw new EnvironmentFailure('EACCES', `A rule denies reading ${path}. Do not look for another way.`)
  }
  const guarded: Pick<ExecutionEnvironment, 'readFile' | 'readBytes' | 'grep'> = {
    async readFile(path, ...more) {
      mustBeAllowed(path)
      return env.readFile(path, ...more)
    },
    async readBytes(path, options) {
      mustBeAllowed(path)
      return env.readBytes(path, options)
    },
    async grep(pattern, path, options) {
      const among = rules()
      mustBeAllowed(path)
      const found = await env.grep(pattern, path, options)
      if (found.matches.length === 0) return found
      const denied = new Map<string, boolean>()
      const isHidden = (name: string): boolean => {
        const known = denied.get(name) ?? isDenied(join(path, name), among)
        denied.set(name, known)
        return known
      }
      const visible = found.matches.filter((match) => !isHidden(match.path))
      // Whoever searches such a file by its name has been asked about it.
      if (mayHoldSecrets(relative(place.root, path))) return { ...found, matches: visible }
      const isWithheld = ({ path: name }: GrepMatch): boolean => mayHoldSecrets(name)
      const withheld = [...new Set(visible.filter(isWithheld).map((match) => match.path))]
      return { ...found, matches: visible.filter((match) => !isWithheld(match)), ...(withheld.length > 0 && { withheld }) }
    },
  }
  // The members are looked up at each call, because a host may replace its environment.
  return new Proxy(env, {
    get: (_, name: keyof ExecutionEnvironment) => (Object.hasOwn(guarded, name) ? guarded[name as keyof typeof guarded] : env[name]),
  })
}

/** Why rules do not let a command of the project run in its folder. Null if none denies it. */
export function refusalOfCommand(command: string, rules: readonly RuleWhen[], place: RulePlace): string | null {
  const effect = { kind: 'command', command, cwd: place.root, outside: false, env: {}, timeoutMs: 0, destructive: false } as const
  const rule = ruleFor(effect, rules, 'deny', place)
  return rule && `The rule ${wordsOf(rule)} denies this command.`
}
