import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { ProviderFacts } from '../../../shared/api/settings.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import { configureSession } from '../../state/commands/actions.ts'
import { useDesk, useOfflineReason } from '../../state/desk-context.ts'
import { useLocalServers } from '../../state/hooks/use-local-servers.ts'
import { Select } from '../../ui/controls/select/select.tsx'
import { modelOptions, recentFirst } from '../../ui/model-options.ts'
import styles from './work.module.css'

/** The prefix of models among the choices that this browser remembers. */
const USED = 'model:'
const NO_PROVIDERS: readonly ProviderFacts[] = []

/** Lets the user choose the session's model, from any provider. The choice applies from the next request on. */
export function ModelSelect({ sessionId, config }: { readonly sessionId: SessionId; readonly config: SessionConfigured }): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  const providers = useStore(desk.settings, ({ settings }) => settings?.providers ?? NO_PROVIDERS)
  const [hasOpened, setOpened] = useState(false)
  const { found } = useLocalServers(hasOpened)
  if (config.provider === 'rehearsal') return <span className={styles.scripted}>Rehearsal, scripted</span>
  const { options, selected } = modelOptions(config, providers, found ?? [])
  return (
    <Select
      label="Model"
      whileEmpty="Choose a model"
      selected={selected}
      options={recentFirst(options, desk.used.after(USED))}
      onOpening={() => setOpened(true)}
      onSelect={(id) => {
        const chosen = options.find((option) => option.id === id)
        if (!chosen) return
        desk.used.use(`${USED}${id}`)
        configureSession(desk, sessionId, chosen.asks)
      }}
      align="end"
      disabledReason={offline}
    />
  )
}
