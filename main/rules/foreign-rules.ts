import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportPreview, RuleDraft } from '../../shared/api/rules.ts'
import { importClaude } from './import-claude.ts'
import { importCodex } from './import-codex.ts'

type Where = RuleDraft['where']

/**
 * The rules that an import from another agent would create: the user's rules from the home folder, and those of a project. Changes
 * nothing.
 */
export function foreignRules(from: 'claude-code' | 'codex', home: string, folder: string | null): ImportPreview {
  const always: Where = { kind: 'always' }
  const bases: readonly (readonly [string, Where])[] = [
    [home, always],
    ...(folder === null ? [] : [[folder, { kind: 'project', folder }] as const]),
  ]
  const files = bases.flatMap(([base, where]) => (from === 'codex' ? codexFiles(base) : claudeFiles(base)).map((path) => ({ path, where })))
  const read = files.flatMap(({ path, where }) => {
    const text = fileText(path)
    return text === null ? [] : [{ path, ...imported(from, text, where) }]
  })
  return { files: read.map(({ path }) => path), rules: read.flatMap(({ rules }) => rules), skipped: read.flatMap(({ skipped }) => skipped) }
}

function imported(from: 'claude-code' | 'codex', text: string, where: Where): Pick<ImportPreview, 'rules' | 'skipped'> {
  try {
    return from === 'codex' ? importCodex(text, where) : importClaude(text, where)
  } catch (error) {
    return { rules: [], skipped: [{ entry: 'the whole file', why: error instanceof Error ? error.message : String(error) }] }
  }
}

const claudeFiles = (base: string): readonly string[] => ['settings.json', 'settings.local.json'].map((name) => join(base, '.claude', name))

function codexFiles(base: string): readonly string[] {
  const folder = join(base, '.codex', 'rules')
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.rules'))
      .toSorted()
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

function fileText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
