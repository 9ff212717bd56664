import type { ReactNode } from 'react'
import type { SettingsState } from '../../../../shared/api/settings.ts'
import { useLocalServers } from '../../../state/hooks/use-local-servers.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { counted } from '../../../ui/format.ts'
import { VisuallyHidden } from '../../../ui/notices/screen-reader.tsx'
import { ProviderRow } from './provider-row.tsx'
import { RequestOptionsField } from './request-options-field.tsx'
import { ModelServerRow } from './model-server-row.tsx'
import type { Changing } from '../use-setting-change.ts'
import { SettingSection } from '../setting-section.tsx'
import { SECTIONS } from '../../../ui/settings-sections.ts'
import styles from '../settings.module.css'

export interface ProvidersSectionProps {
  readonly state: SettingsState
  readonly change: Changing['change']
}

/**
 * The providers with their keys and the last test of each key, the model servers on this computer, and the options that are sent with each
 * request.
 */
export function ProvidersSection({ state, change }: ProvidersSectionProps): ReactNode {
  const { found, isLooking, look } = useLocalServers()
  return (
    <SettingSection section={SECTIONS.providers} lede={whereKept(state.keysKeptIn)}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th className={styles.provider}>Provider</th>
            <th className={styles.key}>Key</th>
            <th>Last test</th>
            <th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {state.providers.map((facts) => (
            <ProviderRow key={facts.provider} facts={facts} />
          ))}
          {found?.map((server) => (
            <ModelServerRow key={server.baseUrl} server={server} />
          ))}
        </tbody>
      </table>
      <div className={styles.below}>
        <p className="soft" role="status">
          {found === null ? 'Looking for model servers on this computer.' : foundWords(found.length)}
        </p>
        <Button small variant="quiet" busy={isLooking} busyWord="Looking" onPress={look}>
          Look again
        </Button>
      </div>
      <RequestOptionsField state={state} change={change} />
    </SettingSection>
  )
}

function foundWords(count: number): string {
  return count === 0
    ? 'No model server was found on this computer. Countersign looks for Ollama, LM Studio, llama.cpp and vLLM on their default ports.'
    : `${counted(count, 'model server')} found on this computer, on the default ports.`
}

function whereKept(keptIn: SettingsState['keysKeptIn']): string {
  if (keptIn === 'pending')
    return 'Waiting for the keychain of this computer. Unlock it if it asks. Keys from the environment already work.'
  return keptIn === 'keychain'
    ? 'Keys are stored in the keychain of this computer. They are never written to the log or passed to a command.'
    : 'No keychain is available here, so keys stay in memory until Countersign closes. They are never written to the log or passed to a command.'
}
