import { useEffect, useState } from 'react'
import type { AppClient } from '../../../../shared/api/contract.ts'
import type { Rule, RulesState } from '../../../../shared/api/rules.ts'
import type { Done } from '../../../../shared/api/sessions.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest } from '../../../state/commands/attempt-request.ts'
import { useDesk } from '../../../state/desk-context.ts'

export const ANSWERS: Readonly<Record<Rule['answer'], string>> = { deny: 'No', ask: 'Ask', allow: 'Yes' }

/** Resolves to true if the change was made. Otherwise resolves to false, and the section shows the reason. */
export type ChangeRules = (run: (client: AppClient) => Promise<Done>) => Promise<boolean>

/** The rules as main stores them, and why the last change failed. */
export function useRules(): { readonly state: RulesState | null; readonly trouble: Trouble | null; readonly change: ChangeRules } {
  const desk = useDesk()
  const [state, setState] = useState<RulesState | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  useEffect(() => {
    const subscription = desk.connection.keep(async (client, signal) => {
      for await (const rules of client.rules.watch({}, signal)) setState(rules)
    })
    return () => subscription.dispose()
  }, [desk])
  const change: ChangeRules = async (run) => {
    const failure = await attemptRequest(desk, 'The rules were not changed', run)
    setTrouble(failure)
    return failure === null
  }
  return { state, trouble, change }
}
