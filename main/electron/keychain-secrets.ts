import { safeStorage } from 'electron'
import { Emitter } from '../../shared/lib/emitter.ts'
import { failed, type Result } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { createMemorySecrets } from '../settings/memory-secrets.ts'
import { type SealedKeys, openSealedKeys } from '../settings/sealed-keys.ts'
import { NO_SECRET, type Secrets, secretState } from '../settings/secrets.ts'

/**
 * Keys behind the system's keychain, or in memory where it has none: on Linux without a secret store Electron would encrypt with a password
 * that everybody knows, which is no keeping (security 1). Asked once the app is ready.
 */
export async function desktopSecrets(dataFolder: string, platform: string = process.platform): Promise<Secrets> {
  return (await hasKeychain(platform)) ? keychainSecrets(openSealedKeys(dataFolder)) : createMemorySecrets()
}

async function hasKeychain(platform: string): Promise<boolean> {
  try {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return false
  } catch {
    return false
  }
  return platform !== 'linux' || !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
}

function keychainSecrets(sealedKeys: SealedKeys): Secrets {
  const changed = new Emitter<ProviderId>()
  const told = (provider: ProviderId, done: Result<null, Trouble>): Result<null, Trouble> => {
    if (done.ok) changed.fire(provider)
    return done
  }
  const get = async (provider: ProviderId): Promise<string | null> => {
    const sealed = sealedKeys.read(provider)
    return sealed && (await unseal(sealed, sealedKeys, provider))
  }
  return {
    newKeysKeptIn: 'keychain',
    get,
    async set(provider, key) {
      const sealed = await seal(key)
      return sealed.ok ? told(provider, sealedKeys.write(provider, sealed.value)) : sealed
    },
    clear: (provider) => Promise.resolve(told(provider, sealedKeys.write(provider, null))),
    async state(provider) {
      const key = await get(provider)
      return key === null ? NO_SECRET : secretState(key, 'keychain')
    },
    onChange: changed.event,
  }
}

async function seal(key: string): Promise<Result<Buffer, Trouble>> {
  try {
    return { ok: true, value: await safeStorage.encryptStringAsync(key) }
  } catch {
    // What the keychain says may quote what it was given.
    return failed({
      code: 'keychain',
      what: 'The system’s keychain did not take the key.',
      kept: 'A key that was kept before is as it was.',
      todo: 'Unlock the keychain, then set the key again.',
    })
  }
}

/** Null when the keychain is locked, or belongs to somebody else by now: nothing is thrown away, since it may open again. */
async function unseal(sealed: Buffer, sealedKeys: SealedKeys, provider: ProviderId): Promise<string | null> {
  try {
    const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(sealed)
    if (shouldReEncrypt) {
      const anew = await seal(result)
      if (anew.ok) sealedKeys.write(provider, anew.value)
    }
    return result
  } catch {
    return null
  }
}
