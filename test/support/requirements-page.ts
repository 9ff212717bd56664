import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { citingFiles } from './cited-ids.ts'
import { WITHOUT_TEST } from './requirements.ts'

const REQUIREMENT = /\b(?:P[23]-\d{2}|[SRLDT]-\d{2}|AC\d{1,2}\.\d)\b/

/** The path of the page. */
export const REQUIREMENTS_PAGE = join(import.meta.dirname, '../requirements.md')

/** Returns a Markdown page that lists each requirement with the test files whose titles cite it. */
export function requirementsPage(): string {
  const texts = JSON.parse(readFileSync(join(import.meta.dirname, 'requirement-texts.json'), 'utf8')) as Record<string, string>
  const files = citingFiles(REQUIREMENT)
  const unknown = [...files.keys()].filter((id) => !(id in texts) && !(id in WITHOUT_TEST)).toSorted()
  const rows = [...Object.keys(texts), ...unknown].map((id) => row(id, texts[id] ?? 'Not described here.', files.get(id) ?? []))
  return `${HEAD}\n${rows.join('\n')}\n`
}

function row(id: string, text: string, files: readonly string[]): string {
  const reason = WITHOUT_TEST[id]
  const tests = files.length > 0 ? files.map((file) => `\`${file}\``).join(', ') : reason ? `no test: ${reason}` : 'none cites it'
  return `| ${id} | ${text.replaceAll('|', '\\|')} | ${tests} |`
}

const HEAD = `# Requirements

Ids in test titles, with the requirement and the test files (below \`test/\`) that cite it. Written by \`npm run requirements\`; the sentences are in \`test/support/requirement-texts.json\`.

| id | requirement | tests |
|---|---|---|`
