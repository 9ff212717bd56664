import { expect, test } from 'vitest'
import { readOptions } from '../../../../renderer/features/settings/providers/request-options-field.tsx'

test('empty text means no options', () => {
  expect(readOptions('anthropic', ' \n')).toEqual({ kind: 'none' })
})

test.each([
  ['{ "grounding": true }', { grounding: true }],
  ['{ "auto_cache": false, "beta_headers": ["context-1m"] }', { autoCache: false, betaHeaders: ['context-1m'] }],
  [
    '{ "body": { "service_tier": "flex", "top_k": 5 }, "headers": { "x-project": "a" } }',
    { body: { service_tier: 'flex', top_k: 5 }, headers: { 'x-project': 'a' } },
  ],
])('reads %s', (typed, options) => {
  expect(readOptions('gemini', typed)).toEqual({ kind: 'options', options })
})

test.each([
  ['{ "grounding": true', /^This is not valid JSON: .*position \d+.* Nothing was changed\.$/],
  ['[1]', /^Write a JSON object, such as \{ "grounding": true \}\. Nothing was changed\.$/],
  ['true', /^Write a JSON object/],
  ['{ "temperature": 1 }', /^temperature: there is no such option\. Use headers, body, betaHeaders, /],
  ['{ "grounding": "yes" }', /^grounding: .*expected boolean.*Nothing was changed\.$/],
  ['{ "headers": { "authorization": "x" } }', /^headers\.authorization cannot be set here: Countersign sets it itself\. Nothing/],
  ['{ "body": { "messages": [] } }', /^body\.messages cannot be set here/],
  ['{ "betaHeaders": ["a b"] }', /^betaHeaders\.0: /],
])('says what is wrong with %s', (typed, why) => {
  const read = readOptions('gemini', typed)
  expect(read.kind).toBe('wrong')
  expect(read.kind === 'wrong' ? read.why : '').toMatch(why)
})
