import type { ReactNode } from 'react'
import type { LocalServer } from '../../../../shared/api/settings.ts'
import { useModelServerChoice } from '../../../state/hooks/use-model-server-choice.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Select } from '../../../ui/controls/select/select.tsx'
import { modelWords, placeOf } from '../../../ui/format.ts'
import styles from '../settings.module.css'

/** A model server on this computer: its address, its models, and a button to use it for new sessions. */
export function ModelServerRow({ server }: { readonly server: LocalServer }): ReactNode {
  const { label, baseUrl } = server
  const { model, models, isInUse, isKeeping, trouble, use } = useModelServerChoice(server)
  return (
    <tr className={classNames(styles.row, styles.serverRow)}>
      <th scope="row" className="strong">
        {label}
      </th>
      <td className={styles.cell}>
        <span className="dim">needs none</span>
      </td>
      <td className={styles.cell}>
        <div className={styles.server}>
          <span className="soft">
            <span className="mono">{placeOf(baseUrl)}</span>, {modelWords(server.models.length)}
          </span>
          {models && <Select variant="field" {...models} />}
        </div>
        {trouble && <span className="fail">{`${trouble.what} ${trouble.todo}`}</span>}
      </td>
      <td className={styles.actions}>
        {isInUse ? (
          <span className="soft">Used by new sessions</span>
        ) : (
          <Button
            small
            busy={isKeeping}
            busyWord="Saving"
            disabledReason={model === null ? `Load a model in ${label}, then look again.` : null}
            onPress={() => void use()}
          >
            Use {label}
          </Button>
        )}
      </td>
    </tr>
  )
}
