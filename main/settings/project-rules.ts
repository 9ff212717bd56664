import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectRules } from '../../shared/api/rules.ts'
import { importProject } from '../approval/rules/import-project.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { Store } from '../store/store.ts'
import { parseConfiguration } from '../workspace/program-starting-configuration.ts'

const RULES_FILE = '.countersign/rules.json'

/**
 * The rules of a trusted folder, in the text that the person accepted: a change of the file counts only after it was accepted too. Null: it
 * has none. `trusted`: a folder that is trusted for this run only; its file is read once.
 */
export function projectRulesIn({ folders }: Pick<Store, 'folders'>, trusted: string | null): (folder: string) => ProjectRules | null {
  /** Undefined: the database cannot be read. */
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
    const text = accepted ? accepted.text : folder === trusted ? fileText(join(folder, RULES_FILE)) : undefined
    const rules = text === undefined ? null : importProject(text, folder)
    read.set(folder, { of: configuration, rules })
    return rules
  }
}

/** Undefined: there is no such file. Null: it cannot be read. */
function fileText(path: string): string | null | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : null
  }
}
