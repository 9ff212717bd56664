import { describe, expect, test } from 'vitest'
import { breaches, type RuleName } from './rules.ts'
import { readSource } from './source-file.ts'

/** Returns the rules that a file with this text breaks, each once. */
const broken = (path: string, text: string): readonly RuleName[] => [...new Set(breaches([readSource(path, text)]).map(({ rule }) => rule))]

const lines = (count: number, line = 'const x = 1'): string => `${line}\n`.repeat(count)

describe('a rule is broken by', () => {
  test.each<[RuleName, string, string]>([
    ['shared is pure', 'shared/lib/a.ts', "import { join } from 'node:path'"],
    ['shared is pure', 'shared/lib/a.ts', "import type { Session } from '../../main/agent/session.ts'"],
    ['shared is pure', 'shared/lib/a.ts', "export type A = import('react').ReactNode"],
    ['renderer stays in the page', 'renderer/wire/a.ts', "import { x } from '../../main/app.ts'"],
    ['renderer stays in the page', 'renderer/wire/a.ts', "import { ipcRenderer } from 'electron'"],
    ['renderer stays in the page', 'renderer/main.tsx', "const fs = await import('node:fs')"],
    ['main has no page', 'main/http/a.ts', "import { App } from '../../renderer/app.tsx'"],
    ['main has no page', 'main/run.ts', "import { scripted } from '../test/support/scripted-model.ts'"],
    ['preload passes messages', 'preload/index.ts', "import { app } from '../main/app.ts'"],
    ['preload passes messages', 'preload/index.ts', "import { z } from 'zod'"],
    ['features meet in state and ui', 'renderer/features/ledger/a.tsx', "import { Tray } from '../tray/tray.tsx'"],
    ['ui knows no state', 'renderer/ui/a.tsx', "import { useSession } from '../state/session.ts'"],
    ['state knows no screen', 'renderer/state/a.ts', "import { Tray } from '../features/tray/tray.tsx'"],
    ['each package has one home', 'main/sessions/a.ts', "import Database from 'better-sqlite3'"],
    ['each package has one home', 'main/index.ts', "import { app } from 'electron'"],
    ['each package has one home', 'main/tools/a.ts', "import type { IPty } from 'node-pty'"],
    ['each package has one home', 'main/tools/a.ts', "import leftPad from 'left-pad'"],
    ['each package of the page has one home', 'renderer/features/changes/a.tsx', "import { FileDiff } from '@pierre/diffs/react'"],
    ['each package of the page has one home', 'renderer/state/a.ts', "import type { Terminal } from '@xterm/xterm'"],
    ['each package of the page has one home', 'renderer/ui/a.ts', "const grammar = await import('@shikijs/langs/bash')"],
    ['each package of the page has one home', 'renderer/ui/a.tsx', "import leftPad from 'left-pad'"],
    ['few reach out of the process', 'main/tools/a.ts', "import { readFile } from 'node:fs/promises'"],
    ['few reach out of the process', 'main/store/a.ts', "import { spawn } from 'node:child_process'"],
    ['few reach out of the process', 'main/environment/copy/a.ts', "import { execFile } from 'node:child_process'"],
    ['the agent knows its ports only', 'main/agent/loop.ts', "import { openDatabase } from '../store/database.ts'"],
    ['the agent knows its ports only', 'main/agent/loop.ts', "import { connect } from 'node:net'"],
    ['arrows point at the ports', 'main/tools/a.ts', "import { runLoop } from '../agent/loop.ts'"],
    ['ports are types', 'main/agent/ports/clock.ts', 'export const now = () => Date.now()'],
    ['ports are types', 'main/agent/ports/clock.ts', "import { z } from 'zod'\nexport type A = z.infer<typeof b>"],
    ['tools are named by their specs', 'main/sessions/a.ts', "const LOOKING = new Set(['read_file'])"],
    ['tools are named by their specs', 'renderer/features/ledger/a.ts', "const isRun = call.toolName === 'shell'"],
    ['tools are named by their specs', 'renderer/features/ledger/a.ts', "switch (toolName) {\n  case 'grep':\n}"],
    ['no barrels', 'shared/api/all.ts', "export * from './sessions.ts'"],
    ['no barrels', 'main/tools/registry.ts', "export { shell } from './shell.ts'"],
    ['no barrels', 'renderer/ui/index.ts', 'export const x = 1'],
    ['names say what a thing is', 'main/sessions/session-manager.ts', ''],
    ['names say what a thing is', 'shared/lib/text-utils.ts', ''],
    ['names say what a thing is', 'main/sessions/a.ts', 'export class SessionManager {}'],
    ['names say what a thing is', 'main/sessions/a.ts', 'const a = 1\nexport { a as pathHelper }'],
    ['names say what a thing is', 'main/sessions/a.ts', 'export const openService = () => {}'],
    ['files are short', 'main/sessions/a.ts', lines(401, '// x')],
    ['files are short', 'renderer/ui/a.module.css', lines(401, '/* x */')],
    ['files are short', 'test/sessions/a.test.ts', lines(401, '// x')],
    ['one statement does one thing', 'main/sessions/a.ts', 'const a = { ...{ b, c }, d }'],
    ['one statement does one thing', 'main/sessions/a.ts', 'const a = [...[b, c], d]'],
    ['one statement does one thing', 'test/sessions/a.test.ts', 'start(...[b, c])'],
    ['one statement does one thing', 'renderer/ui/a.tsx', 'const [a, b] = [c, d]'],
    ['one statement does one thing', 'main/sessions/a.ts', ';[a, b] = [c, d]'],
    ['one statement does one thing', 'renderer/ui/a.tsx', 'const a = <B {...{ c, d }} />'],
    ['random tests run whole in the slow run', 'test/shared/a.test.ts', "import { randomRuns } from '../random-runs.ts'"],
    ['functions are short', 'main/sessions/a.ts', `export function long() {\n${lines(99)}}`],
    ['functions are short', 'main/sessions/a.ts', `export const long = () => {\n${lines(99)}}`],
    ['functions are short', 'main/sessions/a.ts', `export class A {\n  long() {\n${lines(99)}}\n}`],
    ['functions are short', 'renderer/ui/a.tsx', `export function Long() {\n  return (\n<p>\n${lines(98, '<b />')}</p>\n)\n}`],
    ['no fakes of our own parts', 'test/sessions/a.test.ts', "vi.mock('../../main/store/database/database.ts')"],
    ['no fakes of our own parts', 'test/sessions/a.test.ts', "vi.doMock(import('../../main/store/database/database.ts'), () => ({}))"],
  ])('%s: %s', (rule, path, text) => {
    expect(broken(path, text)).toEqual([rule])
  })
})

describe('no rule is broken by', () => {
  test.each([
    ['shared/lib/ids.ts', "import { z } from 'zod'\nimport { a } from './a.ts'"],
    ['main/store/database/database.ts', "import Database from 'better-sqlite3'\nimport { statSync } from 'node:fs'"],
    ['main/electron/window.ts', "import { BrowserWindow } from 'electron'"],
    [
      'main/environment/process/spawn-program.ts',
      "import { spawn } from 'node:child_process'\nimport { readFile } from 'node:fs/promises'",
    ],
    ['main/tools/shell.ts', "import type { Tool } from '../agent/ports/tool.ts'\nimport { z } from 'zod'"],
    ['main/sessions/open.ts', "import { Session } from '../agent/session.ts'"],
    ['main/agent/loop.ts', "import type { Clock } from './ports/clock.ts'\nimport { createHash } from 'node:crypto'"],
    [
      'main/agent/ports/clock.ts',
      "import { type A } from '../../../shared/lib/a.ts'\nexport interface Clock { now(): number }\nexport type { A }",
    ],
    ['main/rolldown.config.ts', "import { defineConfig } from 'rolldown'\nexport default defineConfig({})"],
    [
      'renderer/features/tray/tray.tsx',
      "import { Button } from '../../ui/button.tsx'\nimport { Row } from './row.tsx'\nimport styles from './tray.module.css'",
    ],
    [
      'renderer/features/tray/tray.tsx',
      "import { useState } from 'react'\nimport { X } from 'lucide-react'\nimport { useStore } from 'zustand'",
    ],
    ['renderer/ui/diff/code-diff.tsx', "import { FileDiff } from '@pierre/diffs/react'"],
    ['renderer/ui/terminal/terminal-screen.ts', "import { Terminal } from '@xterm/xterm'"],
    ['preload/index.ts', "import { contextBridge } from 'electron'\nimport type { Frame } from '../shared/wire/frames.ts'"],
    ['main/sessions/a.ts', 'const [first, ...rest] = [...events]\nconst [name, value] = line.split("=")'],
    ['main/sessions/serviceable.ts', 'export const utilisation = 1\nexport class Serviceable {}'],
    ['main/sessions/a.ts', `export function long() {\n${lines(78)}}`],
    ['main/sessions/a.ts', lines(400, '// x')],
    ['test/electron/a.test.ts', "vi.mock('electron', () => import('../support/fake-electron/electron.ts'))"],
    ['test/sessions/a.test.ts', `describe('x', () => {\n${lines(100)}})`],
  ])('%s', (path, text) => {
    expect(broken(path, text)).toEqual([])
  })
})

test('a violation gives the line and says what to do', () => {
  const file = readSource('main/tools/a.ts', "\n\nimport { readFile } from 'node:fs/promises'\n")
  expect(breaches([file])).toEqual([
    {
      rule: 'few reach out of the process',
      file: 'main/tools/a.ts',
      words:
        'line 3 imports node:fs/promises: only main/environment, main/store, main/settings, main/rules, main/http, main/electron, main/host-process, main/places, main/providers/rehearsal, main/bootstrap may',
    },
  ])
})

test('a long function is reported with its line', () => {
  const file = readSource('main/a/b.ts', `const a = 1\nexport const long = () => {\n${lines(100)}}\n`)
  expect(breaches([file]).map(({ words }) => words)).toEqual(['long (line 2) has 102 lines, at most 100'])
})

test('a folder contains at most 20 files, not counting subfolders and tests, unless it has a file for each built-in tool', () => {
  const files = (folder: string, count: number) => Array.from({ length: count }, (_, at) => readSource(`${folder}/${at}.ts`, ''))
  const allowed = [...files('main/a', 20), ...files('main/a/b', 20), ...files('main/a/built-in', 21), ...files('test/a', 21)]
  expect(breaches(allowed)).toEqual([])
  expect(breaches([...allowed, readSource('main/a/page.module.css', '')])).toEqual([
    { rule: 'folders are small', file: 'main/a', words: '21 files, at most 20: give a part of them a folder of its own' },
  ])
})

test('a file that does not parse is reported', () => {
  expect(() => readSource('main/a.ts', 'export const = 1')).toThrow()
})
