import type { RuleDraft } from '../api/rules.ts'
import type { SessionId } from '../lib/ids.ts'
import { type CommandEffect, type Effect, runsApart } from '../session/effects.ts'
import type { CallItem } from '../session/state.ts'
import { exactPieces } from '../lib/hidden-characters.ts'

/**
 * What happens the next time. `each` makes a rule for each command of the line. `ignored` makes rules for the ignored places that this
 * command changed.
 */
export type NextChoice = 'ask' | 'session' | 'project' | 'always' | 'each' | 'ignored' | 'confined' | 'open'

export interface NextTimePlace {
  readonly sessionId: SessionId
  /** Null if the folder is not known. */
  readonly folder: string | null
}

/** The rules for one choice. `reason` is a sentence about why no rules can be made. It is null if rules can be made. */
export interface NextRules {
  readonly rules: readonly RuleDraft[]
  readonly reason: string | null
}

type Command = Extract<RuleDraft['when'], { kind: 'command' }>

const NONE: NextRules = { rules: [], reason: null }
const DELETES = 'The command may delete data, which always needs your signature.'
/** Maximum number of characters of a pattern. Longer patterns cannot be saved. */
const MAX_COMMAND_CHARS = 2000

/** Returns the rules for a choice about this request. The rules apply in the project, in the session or everywhere. */
export function nextRules(choice: NextChoice, call: CallItem, place: NextTimePlace): NextRules {
  const effect = call.effects.find((each) => each.kind === 'command')
  const where = whereOf(choice, place)
  if (!effect || where === null) return NONE
  const allow = (when: RuleDraft['when']): RuleDraft => ({ answer: 'allow', when, where })
  if (choice === 'ignored') {
    const places = ignoredPlaces(call.effects)
    return places === null ? NONE : { rules: places.map((pattern) => allow({ kind: 'path', pattern })), reason: null }
  }
  const texts = choice === 'each' ? (effect.parts ?? []).map(({ text }) => text) : [effect.command.trim()]
  const reason = reasonAgainst(choice, call, effect, texts)
  if (reason !== null) return { rules: [], reason }
  const way = wayOf(choice, call, effect)
  return { rules: [...new Set(texts)].map((pattern) => allow({ kind: 'command', pattern, ...way })), reason: null }
}

function whereOf(choice: NextChoice, { sessionId, folder }: NextTimePlace): RuleDraft['where'] | null {
  if (choice === 'ask') return null
  if (choice === 'session') return { kind: 'session', sessionId }
  if (choice === 'always') return { kind: 'always' }
  return folder === null ? null : { kind: 'project', folder }
}

function wayOf(choice: NextChoice, { noCopy }: CallItem, effect: CommandEffect): Pick<Command, 'inCopy' | 'way'> {
  if (choice === 'confined' || choice === 'open') return { way: choice }
  if (runsApart(effect)) return { inCopy: true }
  // A null reason means that the user chose to run without a copy. Otherwise, the command could not run in a copy.
  return noCopy?.reason === null ? { way: effect.sandbox === 'confined' ? 'confined' : 'open' } : {}
}

/**
 * Matches programs such as `sudo` and `eval` that run another program or a string as code. The words of a rule for such a program would not
 * show what the rule allows.
 */
const WRAPPED = /(?:^|[\n;&|(])\s*(?:\S*\/)?(?:sudo|doas|su|pkexec|env|eval|(?:ba|z|da|k|a|fi)?sh\s+(?:\S+\s+)*?-\w*c)(?=\s|$)/u
/** Matches words that a rule compares literally. */
const PLAIN = /^[\w@%+=:,./-]+(?: [\w@%+=:,./-]+)*$/u

/** Why no rule can be made for these commands. Null if a rule can be made. */
function reasonAgainst(choice: NextChoice, { approval }: CallItem, effect: CommandEffect, texts: readonly string[]): string | null {
  const withoutCopy = choice === 'confined' || choice === 'open' || !runsApart(effect)
  if (withoutCopy && (effect.destructive || (!runsApart(effect) && approval?.destructive))) return DELETES
  if (texts.some((text) => exactPieces(text).some(({ kind }) => kind === 'hidden')))
    return 'It contains characters that cannot be seen, so no rule can be made for it.'
  if (texts.some((text) => WRAPPED.test(text)))
    return 'Programs such as sudo, env and bash -c can start anything, so no rule can be made for a command with one of them.'
  if (texts.some((text) => text.includes('*')))
    return 'A rule would read * as a wildcard, so none is offered here. You can write it in Settings > Rules.'
  if (texts.some((text) => text.length > MAX_COMMAND_CHARS)) return 'The command is too long for a rule.'
  if (choice === 'each' && !texts.every((text) => PLAIN.test(text)))
    return 'Each command of the line must be plain words, without quotes, variables or redirects.'
  return null
}

/** Whether the line has several commands, each of which could have a rule. */
export function hasParts({ effects }: CallItem): boolean {
  return effects.some((effect) => effect.kind === 'command' && (effect.parts?.length ?? 0) > 1)
}

/**
 * Returns the ignored places that contain all changes, as lines of a `.gitignore`. Null if a change is elsewhere or if there are no
 * changes.
 */
export function ignoredPlaces(effects: readonly Effect[]): readonly string[] | null {
  const changes = effects.filter((effect) => effect.kind !== 'command')
  const places = changes.map((effect) => ('ignored' in effect && !effect.control ? effect.ignored : undefined))
  const known = places.filter((place) => place !== undefined)
  return known.length === 0 || known.length < changes.length ? null : [...new Set(known)]
}
