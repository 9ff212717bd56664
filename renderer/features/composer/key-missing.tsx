import type { ReactNode } from 'react'
import type { ProviderFacts } from '../../../shared/api/settings.ts'
import { askForKey, startRehearsal } from '../../state/actions.ts'
import { report } from '../../state/attempt.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import styles from './composer.module.css'

/** Said before anything is sent in vain, with both ways on. */
export function KeyMissing({ provider: { provider, label } }: { readonly provider: ProviderFacts }): ReactNode {
  const desk = useDesk()
  return (
    <div className={styles.missing} role="status">
      <span>There is no key for {label} yet, so nothing can be sent. What you write here stays.</span>
      <Button variant="quiet" small onPress={() => void report(desk, startRehearsal(desk))}>
        Rehearse without one
      </Button>
      <Button small onPress={() => askForKey(desk, provider)}>
        Add a key
      </Button>
    </div>
  )
}
