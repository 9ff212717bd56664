import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProjectRules, RuleDraft } from '../../shared/api/rules.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { Store } from '../store/store.ts'
import { parseConfiguration } from '../workspace/program-starting-configuration.ts'
import { z } from 'zod'

export const RULES_FILE = '.countersign/rules.json'

/**
 * A folder on another machine that is trusted only for this run. `rules` and `servers`: the texts of its rules file and of `.mcp.json`.
 * Undefined without one, null if it cannot be read.
 */
export interface TrustedThere {
  readonly address: string
  readonly rules: string | null | undefined
  readonly servers: string | null | undefined
}

/**
 * Returns a function that reads the rules of a trusted folder, in the version that the user accepted. A change of the rules file takes
 * effect only after the user has accepted the change. Null if the folder has no rules. If `trusted` is a folder that is trusted only for
 * this run, its file is read once.
 */
export function projectRulesIn(
  { folders }: Pick<Store, 'folders'>,
  trusted: string | null,
  trustedThere: () => TrustedThere | null = () => null,
): (folder: string) => ProjectRules | null {
  const trustedText = (folder: string): string | null | undefined => {
    const there = trustedThere()
    if (folder === there?.address) return there.rules
    return folder === trusted ? fileText(join(folder, RULES_FILE)) : undefined
  }
  /** Undefined if the database cannot be read. */
  const configurationOf = (folder: string): string | null | undefined => {
    try {
      return folders.configuration(folder)
    } catch (error) {
      if (error instanceof StorageError) return undefined
      throw error
    }
  }
  const read = new Map<string, { readonly of: string | null; readonly rules: ProjectRules | null }>()
  return (folder) => {
    const known = read.get(folder)
    const configuration = configurationOf(folder)
    if (configuration === undefined) return known?.rules ?? { folder, rules: [], ignored: [], unusable: 'The database cannot be read.' }
    if (known && known.of === configuration) return known.rules
    const accepted = parseConfiguration(configuration).find(({ path }) => path === RULES_FILE)
    const text = accepted ? accepted.text : trustedText(folder)
    const rules = text === undefined ? null : importProject(text, folder)
    read.set(folder, { of: configuration, rules })
    return rules
  }
}

/** Undefined if there is no such file, null if the file cannot be read. */
function fileText(path: string): string | null | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : null
  }
}

const Entry = RuleDraft.omit({ where: true })
const FileForm = z.object({ version: z.literal(1), rules: z.array(z.unknown()) })

/**
 * Reads the rules in a project's `.countersign/rules.json`: `{"version": 1, "rules": [{"answer": "deny", "when": {"kind": "command",
 * "pattern": "git push:*"}}]}`. They only restrict what the user allows and never extend it, so an allow rule has no effect. An entry in
 * another form makes the complete file unusable, because nobody can tell what the entry would deny. `text` is null if the file was too long
 * or is not text.
 */
export function importProject(text: string | null, folder: string): ProjectRules {
  const unusable = (why: string): ProjectRules => ({ folder, rules: [], ignored: [], unusable: why })
  if (text === null) return unusable('The file is too long, or is not text.')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error))
  }
  const form = FileForm.safeParse(json)
  if (!form.success) return unusable('The file needs "version": 1 and a list "rules".')
  const entries = form.data.rules.map((rule) => Entry.safeParse(rule))
  const wrong = entries.findIndex(({ success }) => !success)
  if (wrong !== -1) return unusable(`Rule ${wrong + 1} is not a valid rule.`)
  const all = entries.flatMap(({ data }) => (data ? [{ ...data, where: { kind: 'project' as const, folder } }] : []))
  return {
    folder,
    rules: all.filter(({ answer }) => answer !== 'allow'),
    ignored: all.filter(({ answer }) => answer === 'allow').map(({ when }) => when.pattern),
    unusable: null,
  }
}
