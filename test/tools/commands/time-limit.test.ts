import { expect, it, onTestFinished } from 'vitest'
import { commandTimeLimit, runsLong } from '../../../main/tools/commands/prepare-command.ts'
import { createWorkbench, effectsOf } from '../workbench.ts'

it.each([
  ['nothing is said: P2-44', {}, 10_000],
  ['the profile sets a limit', { profile: 120_000 }, 120_000],
  ['the user sets a limit for the session', { session: 30_000, profile: 120_000 }, 30_000],
  ['the call sets a limit', { call: 5_000, session: 30_000, profile: 120_000 }, 5_000],
  ['the call’s limit is too high: D-08', { call: 10_000_000 }, 600_000],
  ['the profile’s limit is too high', { profile: 10_000_000 }, 600_000],
  ['another cap', { call: 5_000, cap: 1_000 }, 1_000],
  ['invalid limits are skipped', { call: Number.NaN, session: -1, profile: 7 }, 7],
  ['the limit is at least a millisecond', { call: 0.2 }, 1],
])('D-46, T-05: %s', (_, limits, ms) => {
  expect(commandTimeLimit(limits)).toBe(ms)
})

it.each([
  'npm test',
  'npm t',
  'npm run build',
  'npm run -s types',
  'CI=1 yarn test:unit',
  'cd app && pnpm --filter=web run test -- --run x',
  'npx vitest run test/a.test.ts',
  './node_modules/.bin/tsc --noEmit',
  './gradlew assemble',
  'cargo +nightly test || cargo test',
  'go test ./... 2>&1 | tail -20',
  'python -m pytest -q',
  'python3 -m unittest',
  '.venv/bin/pytest tests',
  'node --test',
  'make -j4 all',
  'pip install -e .',
])('a test or build is recognized: %s', (command) => {
  expect(runsLong(command)).toBe(true)
})

it.each([
  'ls',
  'git log --grep test',
  'cat build/make.log',
  'echo making',
  'npm ls',
  'npm view typescript',
  'go version',
  'node server.js',
  'rg "npm"',
])('any other command is not: %s', (command) => {
  expect(runsLong(command)).toBe(false)
})

it.each([
  ['ls', {}, {}, 10_000],
  ['npm test', {}, {}, 120_000],
  ['npm test', { timeout_ms: 5000 }, {}, 5000],
  ['npm test', { timeout: 30 }, {}, 30_000],
  ['npm test', {}, { sessionCommandMs: 20_000 }, 20_000],
  ['npm test', {}, { defaultCommandMs: 200_000 }, 200_000],
])('%s with %j under %j may take %i ms', async (command, args, set, ms) => {
  const bench = createWorkbench(undefined, undefined, { defaultCommandMs: 10_000, longCommandMs: 120_000, maxCommandMs: 600_000, ...set })
  onTestFinished(() => bench.dispose())
  expect(effectsOf(await bench.prepare('shell', { command, ...args }))).toMatchObject([{ timeoutMs: ms }])
})
