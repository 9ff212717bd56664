import { expect, test } from 'vitest'
import { providerOfKey } from '../../../../renderer/features/first-run/add-key.tsx'

test.each([
  ['sk-ant-api03-abc', 'anthropic'],
  ['sk-proj-abc', 'openai'],
  ['sk-abc', 'openai'],
  ['AIzaSyAbc', 'gemini'],
  ['hf_abc', null],
  ['', null],
])('the key %j is recognized as a key for %s', (key, provider) => {
  expect(providerOfKey(key)).toBe(provider)
})
