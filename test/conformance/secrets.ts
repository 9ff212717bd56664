import { describe, expect, it } from 'vitest'
import type { Secrets } from '../../main/settings/secrets.ts'
import type { ProviderId } from '../../shared/session/content.ts'

/** Tests the promises of the port `Secrets`, which every implementation must keep. `make` creates a store without any key. */
export function secretsConformance(name: string, make: () => Secrets | Promise<Secrets>, keptIn: 'keychain' | 'memory'): void {
  describe(`${name} keeps the promises of Secrets`, () => {
    it('say where a new key is kept', async () => {
      expect((await make()).newKeysKeptIn).toBe(keptIn)
    })

    it('a key that was never set is not set', async () => {
      const secrets = await make()
      expect(await secrets.get('anthropic')).toBeNull()
      expect(await secrets.state('anthropic')).toEqual({ key: 'not_set', ending: null, keptIn: null })
    })

    it('a stored key is returned unchanged, only for its provider, until it is cleared', async () => {
      const secrets = await make()
      expect(await secrets.set('openai', 'sk-!~%/+=<>-1234567890')).toEqual({ ok: true, value: null })
      expect(await secrets.get('openai')).toBe('sk-!~%/+=<>-1234567890')
      expect(await secrets.get('anthropic')).toBeNull()
      await secrets.set('openai', 'sk-another-0987654321')
      expect(await secrets.get('openai')).toBe('sk-another-0987654321')
      expect(await secrets.clear('openai')).toEqual({ ok: true, value: null })
      expect(await secrets.get('openai')).toBeNull()
      expect(await secrets.clear('openai')).toEqual({ ok: true, value: null })
    })

    it('reveals only that a key is set, where, and the last four characters of one longer than eight', async () => {
      const secrets = await make()
      await secrets.set('gemini', 'abcdefghi')
      expect(await secrets.state('gemini')).toEqual({ key: 'set', ending: 'fghi', keptIn })
      await secrets.set('gemini', 'abcdefgh')
      expect(await secrets.state('gemini')).toEqual({ key: 'set', ending: null, keptIn })
    })

    it('tells listeners which provider has changed, until they unsubscribe', async () => {
      const secrets = await make()
      const told: ProviderId[] = []
      const listening = secrets.onChange((provider) => told.push(provider))
      await secrets.set('anthropic', 'a')
      await secrets.set('openai', 'b')
      await secrets.clear('anthropic')
      listening.dispose()
      await secrets.clear('openai')
      expect(told).toEqual(['anthropic', 'openai', 'anthropic'])
    })
  })
}
