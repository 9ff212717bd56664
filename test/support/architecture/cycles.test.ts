import { expect, test } from 'vitest'
import { fileCycles, folderCycles, folderOf } from './cycles.ts'
import { readSource } from './source-file.ts'

const file = (path: string, ...targets: readonly string[]) => readSource(path, targets.map((target) => `import '${target}'\n`).join(''))

test('two folders that import each other are reported once as a cycle', () => {
  const files = [file('main/store/a.ts', '../tools/b.ts'), file('main/tools/b.ts', '../store/c.ts'), file('main/store/c.ts')]
  expect(folderCycles(files)).toEqual([['main/store', 'main/tools']])
})

test('a cycle through three folders and a file is found', () => {
  const files = [
    file('main/app.ts', './a/x.ts'),
    file('main/a/x.ts', '../b/x.ts'),
    file('main/b/x.ts', '../c/deep/x.ts'),
    file('main/c/deep/x.ts', '../../app.ts'),
    file('main/d/x.ts', '../a/x.ts'),
  ]
  expect(folderCycles(files)).toEqual([['main/a', 'main/app.ts', 'main/b', 'main/c']])
})

test('folders that share a dependency are not a cycle', () => {
  const files = [file('main/a/x.ts', '../c/x.ts', '../b/x.ts'), file('main/b/x.ts', '../c/x.ts', './y.ts'), file('main/c/x.ts', 'zod')]
  expect(folderCycles(files)).toEqual([])
})

test('a subfolder belongs to its parent, and each feature is its own folder', () => {
  expect(['main/agent/ports/a.ts', 'main/app.ts', 'renderer/features/tray/a.tsx', 'renderer/ui/frame/a.tsx'].map(folderOf)).toEqual([
    'main/agent',
    'main/app.ts',
    'renderer/features/tray',
    'renderer/ui',
  ])
})

test('files of one folder that import each other are a cycle, even if only types are imported', () => {
  const files = [
    file('main/a/x.ts', './y.ts'),
    file('main/a/y.ts', './z.ts'),
    readSource('main/a/z.ts', "import type { X } from './x.ts'\nexport const z = (x: X): X => x\n"),
    file('main/a/alone.ts', './x.ts', 'zod'),
  ]
  expect(fileCycles(files)).toEqual([['main/a/x.ts', 'main/a/y.ts', 'main/a/z.ts']])
})
