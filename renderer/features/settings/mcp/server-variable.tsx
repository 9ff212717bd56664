import { type ReactNode, useState } from 'react'
import type { AppClient } from '../../../../shared/api/contract.ts'
import type { McpServerState, McpState, McpVariable } from '../../../../shared/api/mcp.ts'
import type { Done } from '../../../../shared/api/sessions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import styles from './mcp.module.css'

const FROM: Readonly<Record<McpVariable['from'], string>> = {
  stored: 'is stored as a secret of this server.',
  environment: 'comes from the environment.',
  default: 'has the default from the file.',
  missing: 'has no value.',
}

export interface ServerVariableProps {
  readonly server: McpServerState
  readonly variable: McpVariable
  readonly keptIn: McpState['keptIn']
  readonly change: (run: (client: AppClient) => Promise<Done>) => void
}

/**
 * A variable in a server's configuration: where its value comes from, and a field to store a value. The value exists only in this field,
 * which hides it.
 */
export function ServerVariable({
  server: { folder, name: server },
  variable: { name, from },
  keptIn,
  change,
}: ServerVariableProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null)
  const set = (value: string | null): void => {
    setTyped(null)
    change((client) => client.mcp.setSecret({ folder, name: server, variable: name, value }))
  }
  const isEditing = typed !== null || from === 'missing'
  return (
    <div className={styles.variable}>
      <p className={from === 'missing' ? styles.failed : 'soft'}>
        <code>{name}</code> {FROM[from]}
      </p>
      {isEditing ? (
        <>
          <Field
            className={styles.secret}
            label={`Value of ${name} for ${server}`}
            type="secret"
            mono
            value={typed ?? ''}
            onChange={setTyped}
            whileEmpty="Paste the value"
            hint={KEPT_IN[keptIn]}
          />
          <Button small disabledReason={(typed ?? '').trim() === '' ? 'No value yet' : null} onPress={() => set(typed?.trim() ?? null)}>
            Store
          </Button>
        </>
      ) : (
        <Button
          small
          variant="quiet"
          label={`${from === 'stored' ? 'Replace' : 'Store a value'}: ${name} of ${server}`}
          onPress={() => setTyped('')}
        >
          {from === 'stored' ? 'Replace' : 'Store a value'}
        </Button>
      )}
      {typed !== null && from !== 'missing' && (
        <Button small variant="quiet" onPress={() => setTyped(null)}>
          Cancel
        </Button>
      )}
      {from === 'stored' && typed === null && (
        <Button small variant="quiet" label={`Remove: ${name} of ${server}`} onPress={() => set(null)}>
          Remove
        </Button>
      )}
    </div>
  )
}

const KEPT_IN: Readonly<Record<McpState['keptIn'], string>> = {
  keychain: 'The value is kept in the key store.',
  memory: 'There is no key store here, so the value is forgotten when Countersign ends.',
  pending: 'The value is kept once the keychain of this computer is open. Unlock it if it asks.',
}
