import type { Rule } from '../../shared/api/rules.ts'
import { type Effect, runsApart } from '../../shared/session/effects.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { Policy, Verdict } from '../agent/ports/policy.ts'
import { type TrackedFiles, withDeniedInGit } from './denied-in-git.ts'
import { ruleFor, type RulePlace, ruleThatMayConcern, type RuleWhen, wayByRules } from './rule-matches.ts'

export interface RuledPolicyParts<T extends RuleWhen> extends RulePlace {
  /** The rules that apply here and are switched on. */
  rules(): readonly T[]
  /** Returns whose rules cannot be read and might therefore deny anything. Null if all rules can be read, which is the default. */
  unknown?(): keyof typeof UNKNOWN | null
  /** If absent, commands that may print denied files from git's history without naming them are not found. */
  readonly tracked?: TrackedFiles
  /** Called with each rule that was decisive. */
  onUse(rule: T): void
}

/**
 * Applies a user's rules on top of a policy. A deny takes precedence over an ask, and an ask over an allow. All three take precedence over
 * the mode, but what the mode blocks stays blocked. An allow for a command permits no more than `full` mode: control files, places outside
 * the folder, unknown targets and irrecoverable commands still need approval. An allow for a path, host or tool permits what it names,
 * except control files. In `plan` mode, no allow applies.
 */
export function withRules<T extends RuleWhen>(policy: Policy, parts: RuledPolicyParts<T>): Policy {
  return {
    ...policy,
    sandboxFor(command, mode, tried) {
      const way = policy.sandboxFor(command, mode, tried)
      if (way !== 'copy' || mode === 'plan' || (parts.unknown?.() ?? null) !== null) return way
      const wanted = wayByRules(command, parts.rules(), parts)
      // If a sandbox is required, a rule cannot make a command run for real.
      const mayBeOpen = policy.sandboxFor(command, 'full', null) === null
      return wanted === 'confined' ? 'confined' : wanted === 'open' && mayBeOpen ? null : way
    },
    async look(effects) {
      const looked = await policy.look(effects)
      return parts.tracked ? withDeniedInGit(looked, deniesIn(parts.rules()), parts, parts.tracked) : looked
    },
    judge(effects, mode) {
      const verdict = policy.judge(effects, mode)
      const rules = parts.rules()
      const unknown = parts.unknown?.() ?? null
      if (verdict.kind === 'deny') return verdict
      const decided = (answer: Rule['answer']): T | null => {
        for (const effect of effects) {
          const rule = ruleFor(effect, rules, answer, parts)
          if (rule) return rule
        }
        return null
      }
      const denied = decided('deny')
      if (denied) return used(parts, denied, { kind: 'deny', reason: `${whose(denied)} ${wordsOf(denied)} denies this step.` })
      const denies = deniesIn(rules)
      for (const effect of effects) {
        const rule = ruleThatMayConcern(effect, denies, parts)
        const reason = mayDeny(effect)
        if (rule) return used(parts, rule, withReason(verdict, `${whose(rule)} ${wordsOf(rule)} ${reason}`))
      }
      const asked = decided('ask')
      if (asked) return used(parts, asked, withReason(verdict, `${whose(asked)} ${wordsOf(asked)} asks.`))
      if (verdict.kind === 'allow') return unknown === null ? verdict : withReason(verdict, UNKNOWN[unknown])
      if (mode === 'plan' || rules.length === 0) return verdict
      // Rules that cannot be read might deny what these rules allow.
      if (unknown !== null) return rules.some(({ answer }) => answer === 'allow') ? withReason(verdict, UNKNOWN[unknown]) : verdict
      return allowed(policy, effects, mode, parts, rules) ?? verdict
    },
  }
}

const deniesIn = <T extends RuleWhen>(rules: readonly T[]): readonly T[] => rules.filter(({ answer }) => answer === 'deny')

function mayDeny(effect: Effect): string {
  const [file] = (effect.kind === 'command' ? effect.deniedInGit : null) ?? []
  return file === undefined
    ? 'may deny this step: what the command runs is known only when it runs.'
    : `denies ${file}, and git may print its content from the history.`
}

const UNKNOWN = {
  your: 'Your rules cannot be read, so it is not known whether they deny it. The reason is shown in Settings > Rules.',
  project: 'The project’s rules cannot be read, so it is not known whether they deny it. The reason is shown in Settings > Rules.',
}

const whose = ({ origin }: RuleWhen): string => (origin === 'project' ? 'The project’s rule' : 'Your rule')

function used<T extends RuleWhen>({ onUse }: RuledPolicyParts<T>, rule: T, verdict: Verdict): Verdict {
  onUse(rule)
  return verdict
}

function withReason(verdict: Verdict, reason: string): Verdict {
  return verdict.kind === 'ask' ? { ...verdict, reason: `${reason} ${verdict.reason}` } : { kind: 'ask', reason, destructive: false }
}

/** The verdict if rules cover each effect that needs a signature. Null if an effect is not covered. */
function allowed<T extends RuleWhen>(
  policy: Policy,
  effects: readonly Effect[],
  mode: ApprovalMode,
  parts: RuledPolicyParts<T>,
  rules: readonly T[],
): Verdict | null {
  // A change is judged together with the command that made it.
  const copied = effects.filter((effect) => effect.kind === 'command' && runsApart(effect))
  const judged = (effect: Effect, by: ApprovalMode): Verdict['kind'] =>
    policy.judge(effect.kind === 'command' ? [effect] : [...copied, effect], by).kind
  const asking = effects.filter((effect) => judged(effect, mode) === 'ask')
  // If a rule allows a command, it also allows the changes that the command made in its copy.
  const byCommand = effects.flatMap((effect) => (effect.kind === 'command' ? (ruleFor(effect, rules, 'allow', parts) ?? []) : []))[0]
  const found = asking.map((effect) => {
    const rule = ruleFor(effect, rules, 'allow', parts) ?? ('path' in effect && byCommand && covers(byCommand, effect) ? byCommand : null)
    return rule !== null && mayPass(effect, rule, judged(effect, 'full')) ? rule : null
  })
  const [first] = found
  if (!first || found.includes(null)) return null
  return used(parts, first, { kind: 'allow', by: { kind: 'rule', rule: wordsOf(first) } })
}

/**
 * Whether a rule covers an effect. A rule that allows the changes of a command in its copy does not cover deletions, which the user must
 * sign.
 */
function covers({ when }: RuleWhen, effect: Effect): boolean {
  return effect.kind !== 'delete' || when.kind !== 'command' || !when.inCopy
}

/** Whether a rule may allow an effect. A rule for paths or hosts names the place, so it may allow a place outside the folder. */
function mayPass(effect: Effect, { when }: RuleWhen, inFull: Verdict['kind']): boolean {
  if (when.kind === 'host') return effect.kind === 'network'
  if (when.kind === 'tool') return effect.kind === 'unknown'
  if (when.kind === 'path' && 'path' in effect) return !effect.control
  return inFull === 'allow'
}

/** Names a rule in texts for the user. */
export function wordsOf({ when }: RuleWhen): string {
  return when.kind === 'command' ? when.pattern : `${when.kind} ${when.pattern}`
}
