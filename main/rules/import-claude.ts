import { z } from 'zod'
import type { ImportPreview, RuleDraft } from '../../shared/api/rules.ts'

export type Imported = Pick<ImportPreview, 'rules' | 'skipped'>

const list = z.array(z.string()).optional()
const SettingsForm = z.object({ permissions: z.object({ allow: list, ask: list, deny: list }).optional() })

/**
 * Imports the permission rules of a `settings.json` of Claude Code. An entry is not imported if none of our rules means exactly the same,
 * such as an allow with `*` inside a command, or an entry for other tools or for subagents. Throws if the text is not JSON.
 */
export function importClaude(text: string, where: RuleDraft['where']): Imported {
  const form = SettingsForm.safeParse(JSON.parse(text))
  if (!form.success) return { rules: [], skipped: [{ entry: 'permissions', why: 'It does not have the form that Claude Code uses.' }] }
  const found = (['deny', 'ask', 'allow'] as const).flatMap((answer) =>
    (form.data.permissions?.[answer] ?? []).map((entry) => ({ answer, entry, when: whenOf(entry, answer) })),
  )
  return {
    rules: found.flatMap(({ answer, when }) => (typeof when === 'string' ? [] : [{ answer, when, where }])),
    skipped: found.flatMap(({ entry, when }) => (typeof when === 'string' ? [{ entry, why: when }] : [])),
  }
}

/** The condition of an entry, or why it is not imported. */
function whenOf(entry: string, answer: RuleDraft['answer']): RuleDraft['when'] | string {
  const [, tool = '', inner] = /^(\w+)(?:\((.*)\))?$/su.exec(entry) ?? []
  switch (tool) {
    case 'Bash':
      return commandOf(inner, answer)
    case 'Edit':
      return pathOf(inner)
    case 'Read':
      return answer === 'allow'
        ? 'Files of the project can always be read.'
        : 'A rule cannot forbid only reading. Deny the path, which forbids changes too.'
    case 'Write':
      return 'Claude Code does not use it either: write Edit(…).'
    case 'WebFetch':
      return inner?.startsWith('domain:') ? { kind: 'host', pattern: inner.slice('domain:'.length) } : 'The entry names no domain.'
    default:
      return `${tool || entry} has no counterpart in Countersign.`
  }
}

function commandOf(inner: string | undefined, answer: RuleDraft['answer']): RuleDraft['when'] | string {
  if (inner === undefined || inner === '' || inner === '*') return 'This rule matches every command. Choose an approval mode instead.'
  const isWide = inner.replace(/(?::| )\*$/u, '').includes('*')
  return isWide && answer === 'allow'
    ? 'A rule with * inside a command would allow more than it appears to.'
    : { kind: 'command', pattern: inner }
}

function pathOf(inner: string | undefined): RuleDraft['when'] | string {
  return inner === undefined || inner === '' || inner === '**'
    ? 'This rule matches every file. Choose an approval mode instead.'
    : { kind: 'path', pattern: inner }
}
