import type { Part, Step } from './steps.ts'

const each = (part: Part): readonly Part[] => [part, part, part, part]

/** Sequences that once revealed a fault. */
export const FOUND: readonly (readonly Step[])[] = [
  // What a fork brought in makes the folder and the layer the same, and nothing compares them before the undo.
  [
    { kind: 'agent', who: 0, act: 'write', path: 2, cell: 2, by: 'command' },
    { kind: 'sign', who: 0, parts: each('first hunk') },
    { kind: 'sign', who: 0, parts: each('first hunk') },
    { kind: 'fork', who: 0 },
    { kind: 'sign', who: 1, parts: each('all') },
    { kind: 'undo', who: 0 },
  ],
  // A file whose deletion was taken over is made again in the folder.
  [
    { kind: 'agent', who: 0, act: 'cell', path: 0, cell: 4, by: 'tool' },
    { kind: 'sign', who: 0, parts: each('all') },
    { kind: 'user', who: 0, act: 'delete', path: 0, cell: 0, by: 'tool' },
    { kind: 'take over', who: 0 },
    { kind: 'user', who: 0, act: 'write', path: 0, cell: 0, by: 'tool' },
  ],
  // A file that was created and deleted again where the folder had none leaves no mark in the layer, so the layer shows the file that an
  // undo restores.
  [
    { kind: 'agent', who: 0, act: 'delete', path: 0, cell: 0, by: 'tool' },
    { kind: 'sign', who: 0, parts: each('all') },
    { kind: 'restart' },
    { kind: 'agent', who: 0, act: 'write', path: 0, cell: 0, by: 'command' },
    { kind: 'agent', who: 0, act: 'delete', path: 0, cell: 0, by: 'command' },
    { kind: 'undo', who: 0 },
    { kind: 'sign', who: 0, parts: each('all') },
  ],
  // A folder that is made again often has the inode of the removed one.
  [
    { kind: 'agent', who: 0, act: 'cell', path: 2, cell: 0, by: 'command' },
    { kind: 'user', who: 0, act: 'write', path: 2, cell: 4, by: 'command' },
    { kind: 'agent removes the folder', who: 0 },
    { kind: 'undo inside', who: 0 },
    { kind: 'sign', who: 0, parts: each('all') },
  ],
  // After a deletion, the layer shows the folder’s file, which may have changed since the layer’s version was based on it.
  [
    { kind: 'agent', who: 0, act: 'delete', path: 0, cell: 1, by: 'command' },
    { kind: 'user', who: 0, act: 'delete', path: 0, cell: 3, by: 'command' },
    { kind: 'agent', who: 0, act: 'write', path: 0, cell: 1, by: 'command' },
    { kind: 'agent', who: 0, act: 'delete', path: 0, cell: 1, by: 'command' },
    { kind: 'undo inside', who: 0 },
  ],
]
