import type { ReactNode } from 'react'
import type { LocalServer } from '../../../shared/api/settings.ts'
import { useModelServerChoice } from '../../state/hooks/use-model-server-choice.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { modelWords, placeOf } from '../../ui/format.ts'
import styles from './first-run.module.css'
import { StartOption } from './start-option.tsx'

/** A model server that runs on this computer. One press makes it the default for new sessions. */
export function LocalServerOption({ server }: { readonly server: LocalServer }): ReactNode {
  const { label, baseUrl } = server
  const { model, models, isInUse, isKeeping, trouble, use } = useModelServerChoice(server)
  return (
    <StartOption
      title={`Use the models of ${label}`}
      words={`${label} runs on this computer at ${placeOf(baseUrl)} with ${modelWords(server.models.length)}. It needs no key, and nothing leaves this computer.`}
      action={
        <Button
          busy={isKeeping}
          busyWord="Saving"
          disabledReason={
            model === null ? `Load a model in ${label}, then reload this page.` : isInUse ? 'New sessions already use it.' : null
          }
          onPress={() => void use()}
        >
          Use {label}
        </Button>
      }
    >
      {models && (
        <div className={styles.models}>
          <Select variant="field" {...models} />
        </div>
      )}
      {isInUse && (
        <p className="note" role="status">
          New sessions use {model} of {label}. Open a folder to start.
        </p>
      )}
      {trouble && <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
    </StartOption>
  )
}
