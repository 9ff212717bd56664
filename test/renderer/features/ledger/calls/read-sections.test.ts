import { expect, test } from 'vitest'
import { readSections } from '../../../../../renderer/tools/read-file.tsx'
import { emptySession, foldAll } from '../../../../../shared/session/fold/fold.ts'
import type { CallItem } from '../../../../../shared/session/state.ts'
import { begun, ended, SESSION, stamped, started } from '../../../../agent/support/events.ts'
import { planted } from '../../../../tools/planted.ts'
import { textOf } from '../../../../tools/workbench.ts'

async function read(files: Readonly<Record<string, string | Uint8Array>>, paths: readonly string[]): Promise<CallItem> {
  const { output, details } = await planted(files).call('read_many_files', { paths })
  const end = ended('c1', textOf(output), { toolName: 'read_many_files', details })
  const { items } = foldAll(emptySession(SESSION), stamped([started(), begun('c1', 'read_many_files', { paths: [...paths] }), end]))
  return items.find((item): item is CallItem => item.kind === 'call') as CallItem
}

test('R-30: several files in one output are separated, even if a line looks like a header', async () => {
  const call = await read({ 'src/a.ts': '--- src/b.ts ---\n\n  x\n', 'src/b.ts': 'y' }, ['src/*.ts', 'gone.ts'])
  expect(readSections(call)).toEqual({
    sections: [
      {
        path: 'src/a.ts',
        lines: [
          { number: 1, text: '--- src/b.ts ---' },
          { number: 2, text: '' },
          { number: 3, text: '  x' },
        ],
      },
      { path: 'src/b.ts', lines: [{ number: 1, text: 'y' }] },
      { path: 'gone.ts', lines: [{ number: null, text: expect.stringMatching(/^\(gone\.ts does not exist\./u) }] },
    ],
    rest: '',
  })
})

test('omitted files are listed separately', async () => {
  const call = await read({ a: 'x', b: Buffer.from([0, 1, 2]) }, ['a', 'b'])
  expect(readSections(call)).toEqual({
    sections: [{ path: 'a', lines: [{ number: 1, text: 'x' }] }],
    rest: 'Not shown, because they do not fit or are not text: b. Read them one by one.',
  })
})
