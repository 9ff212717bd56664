import { safeStorage } from 'electron'
import { Emitter } from '../../shared/lib/emitter.ts'
import { failed, type Result } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { createMemorySecrets, NO_SECRET, type Secrets, secretState } from '../settings/secrets.ts'
import { type SealedKeys, openSealedKeys } from '../settings/sealed-keys.ts'

/**
 * Stores keys in the system's keychain, or only in memory if there is none, because on Linux without a keychain Electron would encrypt them
 * with a password that everybody knows. Call this when the app is ready.
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
  const announced = (provider: ProviderId, done: Result<null, Trouble>): Result<null, Trouble> => {
    if (done.ok) changed.fire(provider)
    return done
  }
  const get = async (provider: ProviderId): Promise<string | null> => {
    const sealed = sealedKeys.read(provider)
    return sealed && (await unseal(sealed, sealedKeys, provider))
  }
  return {
    texts: {
      async read(name) {
        const sealed = sealedKeys.read(name)
        return sealed && (await unseal(sealed, sealedKeys, name))
      },
      async write(name, text) {
        if (text === null) return sealedKeys.write(name, null)
        const sealed = await seal(text)
        return sealed.ok ? sealedKeys.write(name, sealed.value) : sealed
      },
    },
    newKeysKeptIn: 'keychain',
    get,
    async set(provider, key) {
      const sealed = await seal(key)
      return sealed.ok ? announced(provider, sealedKeys.write(provider, sealed.value)) : sealed
    },
    clear: (provider) => Promise.resolve(announced(provider, sealedKeys.write(provider, null))),
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
    // The keychain's error message may contain the key.
    return failed({
      code: 'keychain',
      what: 'The system’s keychain did not accept the key.',
      kept: 'If a key was stored before, it is still stored.',
      todo: 'Unlock the keychain, then set the key again.',
    })
  }
}

/** Null if the keychain is locked or cannot decrypt the key. Nothing is removed, because the keychain may be unlocked later. */
async function unseal(sealed: Buffer, sealedKeys: SealedKeys, name: string): Promise<string | null> {
  try {
    const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(sealed)
    if (shouldReEncrypt) {
      const resealed = await seal(result)
      if (resealed.ok) sealedKeys.write(name, resealed.value)
    }
    return result
  } catch {
    return null
  }
}
