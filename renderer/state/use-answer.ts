import type { AppClient } from '../../shared/api/contract.ts'
import { type Settled, useSettled } from '../ui/hooks/use-settled.ts'
import { useDesk, useIsConnected } from './desk-context.ts'

/**
 * Asks main, and returns its answer. `key` identifies what is asked about. Asks again when `key` or one of `changes` gets another
 * value. Asks nothing if `ask` is null. Late and missing answers are handled as in `useSettled`.
 *
 * Also asks again after a lost connection was restored, even if there is an answer: main may have been restarted, and what it reported
 * meanwhile, by which `changes` would have changed, is lost. Until the new answer arrives, the last one stays.
 */
export function useAnswer<T>(key: unknown, ask: ((client: AppClient) => Promise<T>) | null, changes: readonly unknown[] = []): Settled<T> {
  const { client } = useDesk().connection
  const isConnected = useIsConnected()
  return useSettled(key, ask !== null && isConnected && client ? () => ask(client) : null, changes)
}
