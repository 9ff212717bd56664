import { expect, test } from 'vitest'
import { providerOfKey } from '../../../../renderer/features/first-run/add-key.tsx'

test.each([
  ['sk-ant-api03-abc', 'anthropic'],
  ['sk-proj-abc', 'openai'],
  ['sk-abc', 'openai'],
  ['AIzaSyAbc', 'gemini'],
  ['hf_abc', null],
  ['', null],
])('a key that begins like %j belongs to %s', (key, provider) => {
  expect(providerOfKey(key)).toBe(provider)
})
