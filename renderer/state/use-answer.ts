import type { AppClient } from '../../shared/api/contract.ts'
import { type Settled, useSettled } from '../ui/hooks/use-settled.ts'
import { useDesk, useIsConnected } from './desk-context.ts'

/**
 * Main's answer to a question about `of`. It is asked again when `of` or one of `changes` gets another value, and when a lost connection has
 * been restored. If `ask` is null, nothing is asked. See `useSettled` for answers that are late or missing.
 */
export function useAnswer<T>(of: unknown, ask: ((client: AppClient) => Promise<T>) | null, changes: readonly unknown[] = []): Settled<T> {
  const { client } = useDesk().connection
  const isConnected = useIsConnected()
  return useSettled(of, ask !== null && isConnected && client ? () => ask(client) : null, changes)
}
