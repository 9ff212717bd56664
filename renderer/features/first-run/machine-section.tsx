import { Check, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { MachineFact } from '../../../shared/api/app.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import styles from './first-run.module.css'

/** Shows what the agent can use on this computer. For each missing program, the command that installs it can be copied. */
export function MachineSection(): ReactNode {
  const { connection } = useDesk()
  const [facts, setFacts] = useState<readonly MachineFact[]>([])
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    const kept = connection.keep(async (client, signal) => {
      const answer = await client.app.machine({})
      if (!signal.aborted) setFacts(answer.facts)
    })
    return () => kept.dispose()
  }, [connection, asked])
  if (facts.length === 0) return null
  return (
    <section className={styles.machine}>
      <h2 className="label">What this computer has</h2>
      <dl>
        {facts.map(({ name, state, words, remedy }) => (
          <div key={name} className={styles.fact}>
            <dt>
              <Icon glyph={state === 'there' ? Check : TriangleAlert} size={14} />
              {name}
            </dt>
            <dd>
              <span className="soft">{words}</span>
              {remedy !== null && <Remedy command={remedy} />}
            </dd>
          </div>
        ))}
      </dl>
      {facts.some(({ state }) => state === 'missing') && (
        <Button small variant="quiet" onPress={() => setAsked((times) => times + 1)}>
          Look again
        </Button>
      )}
    </section>
  )
}

function Remedy({ command }: { readonly command: string }): ReactNode {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command).then(
      () => setCopied(true),
      () => {},
    )
  }
  return (
    <span className={styles.remedy}>
      <code>{command}</code>
      <Button small label={`Copy: ${command}`} onPress={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </span>
  )
}
