import { expect, test } from 'vitest'
import { type Act, checkUndos } from '../support/undo-model.ts'

/** Sequences in which a fault was found once. */
const FOUND: readonly (readonly Act[])[] = [
  // The undo is killed after it has put back the link in whose place a folder was.
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
  // A user deletes the file that the agent has put in the place of a folder.
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
  // The folder of a file that comes back is needed where the undo removes a file.
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
]

/** The same sequences in each run, so that a change is not blamed for what it did not do. `npm run test:long` looks for new ones. */
const SEED = 20_261_126

test('undo loses nobody’s bytes, and its report is exact, even if it is killed half way', { timeout: 300_000 }, async () => {
  await expect(checkUndos(1000, FOUND, SEED)).resolves.toBeUndefined()
})
