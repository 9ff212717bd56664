import type { ProjectRules, Rule } from '../../shared/api/rules.ts'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Policy } from '../agent/ports/policy.ts'
import { fitsIgnoreLine } from '../environment/search/ignore/ignore-rule.ts'
import { deniedFiles } from '../rules/denied-files.ts'
import type { TrackedFiles } from '../rules/denied-in-git.ts'
import type { RulePlace, RuleWhen } from '../rules/rule-matches.ts'
import { withRules } from '../rules/ruled-policy.ts'
import type { RulesFile } from '../rules/rules-file.ts'
import type { Store } from '../store/store.ts'
import { rootOf } from '../subagents/family-budget.ts'
import { filesOfGit } from '../workspace/files-of-git.ts'
import type { Workspace } from '../workspace/workspaces.ts'

/** Maximum number of tracked files that are compared with the rules that deny files. */
const MAX_TRACKED = 300_000

export interface RulesParts {
  readonly store: Store
  /** The user's rules about what needs a signature. */
  readonly rules: RulesFile
  /** Returns the rules in a trusted folder's own file. Null if it has none. */
  projectRules(folder: string): ProjectRules | null
}

/**
 * The workspace's policy with the user's rules for it and for this session, and with the project's own rules. A session and its subagents
 * have the same rules.
 */
export function policyFor(parts: RulesParts, workspace: Workspace, session: SessionSummary): Policy {
  const { rules, projectRules } = parts
  const { address: folder } = workspace
  return withRules<AppliedRule>(workspace.policy, {
    ...rulePlace(workspace),
    rules: appliedRules(parts, folder, session),
    unknown: () => (rules.state().trouble ? 'your' : (projectRules(folder)?.unusable ?? null) === null ? null : 'project'),
    tracked: trackedIn(workspace.environment),
    onUse: ({ id }) => id !== undefined && rules.use(id),
  })
}

/** Reads which files of a folder git tracks. */
export const trackedIn =
  (env: Workspace['environment']): TrackedFiles =>
  async () =>
    (await filesOfGit(env, 'tracked', MAX_TRACKED)) ?? []

/** Where the rules of a workspace apply. */
export const rulePlace = ({ folder, home }: Pick<Workspace, 'folder' | 'home'>): RulePlace => ({
  root: folder,
  home,
  fitsPath: fitsIgnoreLine,
})

type AppliedRule = RuleWhen & { readonly id?: string }

/** Returns the rules that apply in a session at the moment. */
export function appliedRules(
  { rules, projectRules, store }: RulesParts,
  folder: string,
  session: SessionSummary,
): () => readonly AppliedRule[] {
  const root = rootOf(store, session)
  const isOurs = (sessionId: SessionId): boolean => {
    const named = store.sessions.get(sessionId)
    return named !== null && rootOf(store, named) === root
  }
  const inFolder = rulesIn({ rules, projectRules })
  // The user opened this session to see and sign changes, so no rule signs them.
  const canAllow = session.config.where?.kind !== 'bring-in'
  return () => inFolder(folder, isOurs).filter(({ answer }) => canAllow || answer !== 'allow')
}

/** Returns the patterns of the files that rules deny in a session of this folder at the moment. The layer of a check has no session. */
export function deniedInSession(parts: RulesParts): (folder: string, sessionId: SessionId) => readonly string[] {
  return (folder, sessionId) => {
    const session = parts.store.sessions.get(sessionId)
    return deniedFiles(session === null ? rulesIn(parts)(folder) : appliedRules(parts, folder, session)())
  }
}

/** Returns the rules that apply in a folder at the moment. `isOurs`: whether a rule for this session counts. Default: none does. */
export function rulesIn({ rules, projectRules }: Pick<RulesParts, 'rules' | 'projectRules'>) {
  return (folder: string, isOurs: (sessionId: SessionId) => boolean = () => false): readonly AppliedRule[] => {
    const counts = ({ isOn, where }: Rule): boolean => {
      if (!isOn) return false
      return where.kind === 'always' || (where.kind === 'project' ? where.folder === folder : isOurs(where.sessionId))
    }
    return [
      ...rules.state().rules.filter(counts),
      ...(projectRules(folder)?.rules.map((rule) => ({ ...rule, origin: 'project' as const })) ?? []),
    ]
  }
}
