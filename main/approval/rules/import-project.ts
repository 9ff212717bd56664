import { z } from 'zod'
import { type ProjectRules, RuleDraft } from '../../../shared/api/rules.ts'

const Entry = RuleDraft.omit({ where: true })
const FileForm = z.object({ version: z.literal(1), rules: z.array(z.unknown()) })

/**
 * The rules in a project's `.countersign/rules.json`: `{"version": 1, "rules": [{"answer": "deny", "when": {"kind": "command", "pattern":
 * "git push:*"}}]}`. They narrow what the person allows and never widen it, so an allow does not count. An entry in another form makes the
 * whole file unusable, since nobody can tell what it would deny. `text` null: it was too long, or is not text.
 */
export function importProject(text: string | null, folder: string): ProjectRules {
  const unusable = (why: string): ProjectRules => ({ folder, rules: [], ignored: [], unusable: why })
  if (text === null) return unusable('It is too long, or is not text.')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error))
  }
  const form = FileForm.safeParse(json)
  if (!form.success) return unusable('It needs "version": 1 and a list "rules".')
  const entries = form.data.rules.map((rule) => Entry.safeParse(rule))
  const wrong = entries.findIndex(({ success }) => !success)
  if (wrong !== -1) return unusable(`Rule ${wrong + 1} is not in the form of a rule.`)
  const all = entries.flatMap(({ data }) => (data ? [{ ...data, where: { kind: 'project' as const, folder } }] : []))
  return {
    folder,
    rules: all.filter(({ answer }) => answer !== 'allow'),
    ignored: all.filter(({ answer }) => answer === 'allow').map(({ when }) => when.pattern),
    unusable: null,
  }
}
