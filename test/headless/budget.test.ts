import { expect, test } from 'vitest'
import { call, calls } from '../support/scripted-model.ts'
import { ofKind, runAgent } from './support/agent-process.ts'
import { KEY, place } from './support/model-place.ts'

const read = { ...calls(call('glob', { pattern: '*' })), usage: { input: 600, output: 0 } }

test('--max-tokens ends the run before the request that would exceed the budget, and names the option', async () => {
  const at = await place(() => read)
  const outcome = await runAgent(['--max-tokens', '1000', 'Go on for ever'], at)
  expect([outcome.code, at.model.requests.length]).toEqual([1, 2])
  expect(ofKind(outcome, 'TURN_LIMIT')).toEqual([{ kind: 'TURN_LIMIT', reason: 'tokens', limit: 1000 }])
  const [what, kept, todo] = outcome.stderr.trimEnd().split('\n')
  expect([what, todo]).toEqual([
    'The budget of 1,000 tokens is used up.',
    'Resume in a window (npm start), or start again with a higher --max-tokens.',
  ])
  expect(kept).toMatch(/^Everything done so far is kept\. \(session s_\w+ in /)
})

test('--max-usd ends the run when its cost reaches the budget, and the readable output says that the budget is used up', async () => {
  const at = await place(() => ({ ...read, usage: { input: 100_000, output: 0 } }))
  const outcome = await runAgent(['--model', 'claude-haiku-4-5', '--max-usd', '0.2', '--no-json', 'Go on for ever'], at)
  expect([outcome.code, at.model.requests.length]).toEqual([1, 2])
  expect(outcome.stdout).toContain('\n   The budget of $0.20 is used up.\n')
})

test('--max-usd with a model of unknown price sends nothing, and suggests --max-tokens or --model', async () => {
  const at = await place([])
  const outcome = await runAgent(['--model', 'claude-of-tomorrow', '--max-usd', '1', 'x'], { ...at, env: { ANTHROPIC_API_KEY: KEY } })
  expect(outcome.code).toBe(1)
  expect(ofKind(outcome, 'ERROR').map(({ error }) => error.code)).toEqual(['no_price'])
  expect(outcome.stderr).toContain('Limit the tokens (--max-tokens) instead of the dollars, or choose another model (--model).')
})

test('--max-turn-tokens and --max-turn-usd end the turn when its budget is used up, and name their option', async () => {
  const at = await place(() => read)
  const tokens = await runAgent(['--max-turn-tokens', '1000', 'Go on for ever'], at)
  expect([tokens.code, at.model.requests.length]).toEqual([1, 2])
  expect(ofKind(tokens, 'TURN_LIMIT')).toEqual([{ kind: 'TURN_LIMIT', reason: 'turn_tokens', limit: 1000 }])
  expect(tokens.stderr).toContain('The budget of 1,000 tokens for one turn is used up.\n')
  expect(tokens.stderr).toContain('Resume in a window (npm start), or start again with a higher --max-turn-tokens.')
  const dear = await place(() => ({ ...read, usage: { input: 100_000, output: 0 } }))
  const usd = await runAgent(['--model', 'claude-haiku-4-5', '--max-turn-usd', '0.2', 'Go on for ever'], dear)
  expect([usd.code, dear.model.requests.length]).toEqual([1, 2])
  expect(ofKind(usd, 'TURN_LIMIT')).toEqual([{ kind: 'TURN_LIMIT', reason: 'turn_cost', limit: 0.2 }])
})

test.each([
  ['--max-tokens', '0', '--max-tokens takes a whole number from 1.'],
  ['--max-tokens', 'many', '--max-tokens takes a whole number from 1.'],
  ['--max-usd', '0', '--max-usd takes an amount above 0, like 0.50, not "0".'],
  ['--max-turn-tokens', '0', '--max-turn-tokens takes a whole number from 1.'],
  ['--max-turn-usd', '0', '--max-turn-usd takes an amount above 0, like 0.50, not "0".'],
  ['--max-usd', '1e9', '--max-usd takes an amount above 0, like 0.50, not "1e9".'],
])('%s %s is refused', async (flag, value, words) => {
  const at = await place([])
  const outcome = await runAgent([flag, value, 'x'], at)
  expect([outcome.code, outcome.stderr.includes(words), at.model.requests.length]).toEqual([2, true, 0])
})
