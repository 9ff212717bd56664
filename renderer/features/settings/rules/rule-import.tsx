import { type ReactNode, useRef, useState } from 'react'
import type { ImportPreview } from '../../../../shared/api/rules.ts'
import { useCurrentFolder } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { counted } from '../../../ui/format.ts'
import own from './rules.module.css'
import { ANSWERS, type ChangeRules } from './use-rules.ts'

type Source = 'claude-code' | 'codex'

/** The rules of another agent, shown before they are imported. */
export function RuleImport({ change }: { readonly change: ChangeRules }): ReactNode {
  const folder = useCurrentFolder()
  const [found, setFound] = useState<{ readonly from: Source; readonly preview: ImportPreview } | null>(null)
  const asked = useRef<Source | null>(null)
  const look = async (from: Source): Promise<void> => {
    asked.current = from
    await change(async (client) => {
      const preview = await client.rules.importPreview({ from, folder })
      if (asked.current === from) setFound({ from, preview })
      return { ok: true }
    })
  }
  const take = async ({ rules }: ImportPreview, origin: Source): Promise<void> => {
    if (await change((client) => client.rules.add({ rules: [...rules], origin }))) setFound(null)
  }
  return (
    <>
      <div className={own.form}>
        <Button small variant="quiet" onPress={() => void look('claude-code')}>
          Import from Claude Code
        </Button>
        <Button small variant="quiet" onPress={() => void look('codex')}>
          Import from Codex
        </Button>
      </div>
      {found && (
        <div className={own.test} role="status">
          <p>{previewWords(found.preview)}</p>
          <ul>
            {found.preview.rules.map(({ answer, when }) => (
              <li key={`${answer} ${when.kind} ${when.pattern}`}>
                {ANSWERS[answer]} <code>{when.pattern}</code>
              </li>
            ))}
            {found.preview.skipped.map(({ entry, why }) => (
              <li key={entry} className="soft">
                Not imported: <code>{entry}</code> {why}
              </li>
            ))}
          </ul>
          {found.preview.rules.length > 0 && (
            <Button small onPress={() => void take(found.preview, found.from)}>
              Add {counted(found.preview.rules.length, 'rule')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

function previewWords({ files, rules, skipped }: ImportPreview): string {
  if (files.length === 0) return 'No file with rules was found.'
  return `${counted(rules.length, 'rule')} in ${files.join(', ')}${skipped.length > 0 ? `, ${counted(skipped.length, 'entry', 'entries')} without a counterpart` : ''}.`
}
