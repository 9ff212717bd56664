import { expect, test } from 'vitest'
import { randomRuns } from '../../random-runs.ts'
import { type Act, checkUndos } from '../support/undo-model.ts'

/** Sequences that once revealed a fault. */
const FOUND: readonly (readonly Act[])[] = [
  // The undo is killed after it has restored a link that a folder had replaced.
  [
    {
      kind: 'edit',
      changes: [
        { path: 'swap', slot: 'link' },
        { path: 'a', slot: 0 },
      ],
    },
    {
      kind: 'step',
      changes: [{ path: 'b', slot: 'folder' }],
      way: { by: 'tool', subagent: false },
      meanwhile: { path: 'swap/inner', slot: 'folder' },
    },
    { kind: 'undo', what: 'to', which: 0, anyway: false, choice: 'now', disturbance: { at: 3, what: 'kill-after' } },
  ],
  // A user deletes the file with which the agent replaced a folder.
  [
    {
      kind: 'edit',
      changes: [
        { path: 'swap/inner', slot: 'folder' },
        { path: 'a', slot: 0 },
      ],
    },
    {
      kind: 'step',
      changes: [
        { path: 'swap', slot: 0 },
        { path: 'a', slot: 0 },
      ],
      way: { by: 'tool', subagent: false },
      meanwhile: null,
    },
    { kind: 'step', changes: [{ path: 'a', slot: 0 }], way: { by: 'tool', subagent: false }, meanwhile: { path: 'swap', slot: 'delete' } },
    { kind: 'step', changes: [{ path: 'a', slot: 0 }], way: { by: 'tool', subagent: false }, meanwhile: null },
    { kind: 'undo', what: 'to', which: 0, anyway: false, choice: 'now', disturbance: null },
  ],
  // The undo restores a file in the same folder from which it removes another file.
  [
    {
      kind: 'step',
      changes: [
        { path: 'swap/inner', slot: 'folder' },
        { path: 'a', slot: 0 },
      ],
      way: { by: 'tool', subagent: false },
      meanwhile: null,
    },
    { kind: 'edit', changes: [{ path: 'swap/inner', slot: 0 }] },
    { kind: 'step', changes: [{ path: 'swap', slot: 0 }], way: { by: 'tool', subagent: false }, meanwhile: null },
    { kind: 'undo', what: 'to', which: 0, anyway: false, choice: 'now', disturbance: null },
  ],
  // The undo restores a folder of the user below a folder that only the agent had created.
  [
    {
      kind: 'step',
      changes: [{ path: 'swap/inner', slot: 0 }],
      way: { by: 'tool', subagent: false },
      meanwhile: null,
    },
    { kind: 'edit', changes: [{ path: 'swap/inner', slot: 'folder' }] },
    {
      kind: 'step',
      changes: [{ path: 'swap', slot: 0 }],
      way: { by: 'tool', subagent: false },
      meanwhile: null,
    },
    { kind: 'undo', what: 'to', which: 0, anyway: false, choice: 'now', disturbance: null },
  ],
  // A user deletes the file with which an undo replaced a folder of the agent.
  [
    { kind: 'edit', changes: [{ path: 'a', slot: 0 }] },
    {
      kind: 'step',
      changes: [{ path: 'dir/d é\n', slot: 'delete' }],
      way: { by: 'command', subagent: false },
      meanwhile: { path: 'a', slot: 'folder' },
    },
    { kind: 'undo', what: 'to', which: 0, anyway: false, choice: 'now', disturbance: null },
    {
      kind: 'edit',
      changes: [
        { path: 'a', slot: 'delete' },
        { path: 'swap', slot: 0 },
      ],
    },
    { kind: 'undo', what: 'to', which: 3, anyway: false, choice: 'now', disturbance: null },
  ],
]

/** Each run uses the same sequences, so that a change is not blamed for an older fault. `npm run test:long` looks for new sequences. */
const SEED = 20_261_126

test('an undo never loses anyone’s bytes, and its report is exact, even if it is killed halfway', { timeout: 300_000 }, async () => {
  await expect(checkUndos(randomRuns(1000), FOUND, SEED)).resolves.toBeUndefined()
})
