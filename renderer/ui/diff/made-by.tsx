import type { ReactNode } from 'react'
import type { MakingCommand } from '../../../shared/session/fold/changed-files.ts'
import { foreign } from '../text/exact-text.tsx'
import styles from './made-by.module.css'

interface MadeByProps {
  readonly makers: readonly MakingCommand[]
  /** Types of the subagents that changed the file. */
  readonly agents?: readonly string[] | undefined
}

/** The subagents and commands that changed a file, beside its name: "code agent, made by npm run format". Nothing for edit tools. */
export function MadeBy({ makers, agents = [] }: MadeByProps): ReactNode {
  const words = agents.length === 0 ? '' : `${agents.join(', ')} ${agents.length === 1 ? 'agent' : 'agents'}`
  const [first, ...more] = makers.toReversed()
  if (!first) return words === '' ? null : <span className={styles.made}>{foreign(words)}</span>
  return (
    <span className={styles.made} data-tip={makers.map(({ command }) => command.slice(0, 600)).join('\n')}>
      {words !== '' && <>{foreign(words)}, </>}
      {first.inBackground ? 'changed while ' : first.isFound ? 'found afterwards, made by ' : 'made by '}
      <code className={styles.command}>{foreign(first.command.split('\n', 1)[0] ?? '')}</code>
      {first.inBackground && ' ran'}
      {more.length > 0 && ` and ${more.length} more`}
    </span>
  )
}
