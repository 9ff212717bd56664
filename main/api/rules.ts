import type { AppHandlers } from '../../shared/api/contract.ts'
import type { ImportPreview, ProjectRules } from '../../shared/api/rules.ts'
import type { Done } from '../../shared/api/sessions.ts'
import type { Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { backTest, type PastCommand } from '../rules/back-test.ts'
import type { RulePlace } from '../rules/rule-matches.ts'
import type { RulesFile } from '../rules/rules-file.ts'
import { unlessStorageFails } from './storage-failures.ts'
import { latestValue } from './latest-value.ts'

export interface RulesHandlerParts extends Omit<RulePlace, 'root'> {
  readonly rules: RulesFile
  /** The newest commands of all sessions, newest first. */
  past(most: number): Promise<readonly PastCommand[]>
  /** The rules of all trusted folders that have sessions. */
  projects(): readonly ProjectRules[]
  importPreview(from: 'claude-code' | 'codex', folder: string | null): ImportPreview
  isTrusted(folder: string): boolean
}

/** Maximum number of past commands against which a rule is tested. */
const MAX_PAST = 300

export function rulesHandlers(parts: RulesHandlerParts): AppHandlers['rules'] {
  const { rules } = parts
  const projects = (): Promise<readonly ProjectRules[]> => unlessStorageFails<readonly ProjectRules[]>(parts.projects, () => [])
  return {
    watch: (_, { signal }) => latestValue(async () => ({ ...rules.state(), projects: await projects() }), rules.onChange, signal),
    backTest: ({ rules: drafts }) =>
      unlessStorageFails(
        async () => backTest(drafts, await parts.past(MAX_PAST), parts),
        (unreadable) => ({ commands: 0, fits: [], unreadable }),
      ),
    add: ({ rules: drafts, origin }) => outcome(rules.add(drafts, origin)),
    switch: ({ id, isOn }) => outcome(rules.switch(id, isOn)),
    remove: ({ id }) => outcome(rules.remove(id)),
    importPreview: async ({ from, folder }) => {
      const isTrusted =
        folder !== null &&
        (await unlessStorageFails(
          () => parts.isTrusted(folder),
          () => false,
        ))
      return parts.importPreview(from, isTrusted ? folder : null)
    },
  }
}

async function outcome(result: Result<null, Trouble>): Promise<Done> {
  return result.ok ? { ok: true } : { ok: false, trouble: result.failure }
}
