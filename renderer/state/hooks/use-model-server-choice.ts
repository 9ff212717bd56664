import { useState } from 'react'
import { useStore } from 'zustand'
import type { LocalServer } from '../../../shared/api/settings.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { attemptRequest } from '../commands/attempt-request.ts'
import { useDesk } from '../desk-context.ts'

const PROVIDER = 'openai-compatible'

/** The props of a list of models. */
interface ModelChoice {
  readonly label: string
  readonly options: readonly { readonly id: string; readonly label: string }[]
  readonly selected: string
  readonly onSelect: (model: string) => void
}

export interface ServerChoice {
  /** The selected model. Null if the server has none. */
  readonly model: string | null
  /** The list of the server's models. Null if the server has none. */
  readonly models: ModelChoice | null
  /** Whether new sessions already use this model of this server. */
  readonly isInUse: boolean
  readonly isKeeping: boolean
  readonly trouble: Trouble | null
  readonly use: () => Promise<void>
}

/** Selects a model of a local server and makes it the default: provider, address and model in one change. */
export function useModelServerChoice({ label, baseUrl, models }: LocalServer): ServerChoice {
  const desk = useDesk()
  const settings = useStore(desk.settings, (state) => state.settings?.settings ?? null)
  const taken = settings?.provider === PROVIDER && settings.baseUrls[PROVIDER] === baseUrl ? settings.model : null
  const [picked, setPicked] = useState<string | null>(null)
  const [isKeeping, setKeeping] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const offered = [picked, taken].find((name) => name !== null && models.some(({ model }) => model === name))
  const model = offered ?? models[0]?.model ?? null
  return {
    model,
    models: model === null ? null : { label: `Model of ${label}`, options: models.map(optionOf), selected: model, onSelect: setPicked },
    isInUse: model !== null && model === taken,
    isKeeping,
    trouble,
    async use() {
      if (model === null || isKeeping) return
      setKeeping(true)
      setTrouble(
        await attemptRequest(desk, 'The server was not set as the default', (client) =>
          client.settings.change({ provider: PROVIDER, model, baseUrl: { provider: PROVIDER, url: baseUrl } }),
        ),
      )
      setKeeping(false)
    },
  }
}

const optionOf = ({ model }: LocalServer['models'][number]): ModelChoice['options'][number] => ({ id: model, label: model })
