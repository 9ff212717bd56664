import type { ReactNode } from 'react'
import type { MakingCommand } from '../../../shared/session/fold/views.ts'
import { foreign } from '../text/exact-text.tsx'
import styles from './made-by.module.css'

/** The commands that changed a file, beside its name: "made by npm run format". Nothing for edit tools. */
export function MadeBy({ makers }: { readonly makers: readonly MakingCommand[] }): ReactNode {
  if (makers.length === 0) return null
  const [first, ...more] = makers.toReversed()
  if (!first) return null
  return (
    <span className={styles.made} data-tip={makers.map(({ command }) => command.slice(0, 600)).join('\n')}>
      {first.inBackground ? 'changed while ' : first.isFound ? 'found afterwards, made by ' : 'made by '}
      <code className={styles.command}>{foreign(first.command.split('\n', 1)[0] ?? '')}</code>
      {first.inBackground && ' ran'}
      {more.length > 0 && ` and ${more.length} more`}
    </span>
  )
}
