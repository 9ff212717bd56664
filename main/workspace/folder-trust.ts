import type { FolderFacts } from '../../shared/api/workspace.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { oneLook } from '../agent/one-look.ts'
import { parseAddress } from '../../shared/places/address.ts'
import { retryWhileLocked } from '../agent/record/retry-while-locked.ts'
import {
  configurationChanges,
  type ConfigurationFile,
  configurationHash,
  parseConfiguration,
  readConfiguration,
} from './program-starting-configuration.ts'

/** The user's answers by the address of the real folder. `configuration` is the configuration at the time of the answer, in its stored form. */
export interface TrustAnswers {
  trust(path: string): boolean | null
  configuration(path: string): string | null
  decide(path: string, trusted: boolean, configuration?: string): void
}

type TrustFacts = Pick<FolderFacts, 'trust' | 'changed' | 'configuration'>

/**
 * Trust in folders. It is bound to the real path and to the configuration that can start programs. If that configuration changes, the
 * folder is no longer trusted until the user has seen the change. Nothing in a folder is read until the folder has been trusted once.
 */
export interface FolderTrust {
  trustOf(folder: string): Promise<TrustFacts>
  isTrusted(folder: string): Promise<boolean>
  /**
   * Records an answer. `seen` is the hash of the configuration that was shown to the user. If the configuration has changed since,
   * records nothing and returns false.
   */
  decide(folder: string, trusted: boolean, seen: string | null): Promise<boolean>
}

/** `environmentOf`: returns an environment for the folder at this address. */
export function createFolderTrust(
  answers: TrustAnswers,
  environmentOf: (folder: string) => ExecutionEnvironment | Promise<ExecutionEnvironment>,
): FolderTrust {
  const read = async (folder: string): Promise<readonly ConfigurationFile[]> =>
    oneLook(async () => readConfiguration(await environmentOf(folder), parseAddress(folder).folder))
  const trustOf = async (folder: string): Promise<TrustFacts> => {
    const answer = answers.trust(folder)
    if (answer !== true) return { trust: answer === null ? 'unasked' : 'no', changed: [], configuration: null }
    const now = await read(folder)
    const changed = configurationChanges(parseConfiguration(answers.configuration(folder)), now)
    return { trust: changed.length > 0 ? 'changed' : 'yes', changed, configuration: configurationHash(now) }
  }
  return {
    trustOf,
    isTrusted: async (folder) => (await trustOf(folder)).trust === 'yes',
    async decide(folder, trusted, seen) {
      if (!trusted) {
        await retryWhileLocked(() => answers.decide(folder, false))
        return true
      }
      const now = await read(folder)
      if (seen !== null && seen !== configurationHash(now)) return false
      await retryWhileLocked(() => answers.decide(folder, true, JSON.stringify(now)))
      return true
    },
  }
}
