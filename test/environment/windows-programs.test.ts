import { describe, expect, it } from 'vitest'
import { commandEnvironment, pathIn } from '../../main/environment/env-policy.ts'
import { absoluteFolders, findProgram, findShell, type Machine, windowsProgram } from '../../main/environment/process/find-program.ts'

/** A Windows machine on which these files can be run. File names are not case-sensitive. */
function windows(files: readonly string[], env: Machine['env'] = { SystemRoot: 'C:\\WINDOWS' }): Machine {
  const there = new Set(files.map((file) => file.toLowerCase()))
  return { platform: 'win32', env, isExecutable: (path) => there.has(path.toLowerCase()) }
}

const GIT = String.raw`C:\Program Files\Git\cmd\git.exe`
const CMD = String.raw`C:\WINDOWS\System32\cmd.exe`

describe('a program on Windows', () => {
  it.each<[string, string, string, readonly string[], string | null]>([
    ['is found by its name without an extension', 'git', String.raw`C:\Windows;C:\Program Files\Git\cmd`, [GIT], GIT],
    ['is found if its extension is given', 'git.EXE', String.raw`C:\Program Files\Git\cmd`, [GIT], GIT.replace('.exe', '.EXE')],
    ['is found in a quoted folder', 'git', String.raw`"C:\Program Files\Git\cmd"`, [GIT], GIT],
    ['is never a batch file, which Node can start only through a shell', 'npm', String.raw`C:\node`, [String.raw`C:\node\npm.cmd`], null],
    ['is never a file without an extension', 'git', String.raw`C:\git`, [String.raw`C:\git\git`], null],
    ['is not looked for in a relative folder', 'git', String.raw`.;bin;C:bin`, [String.raw`bin\git.exe`, String.raw`C:bin\git.exe`], null],
    ['is not looked for in a folder of the current drive', 'git', String.raw`\bin`, [String.raw`\bin\git.exe`], null],
    ['is never a path in a drive’s current folder', 'C:git', String.raw`C:\x`, [String.raw`C:\x\C:git.exe`], null],
    ['is used if its full path is given', GIT.slice(0, -4), '', [GIT], GIT],
  ])('%s', (_title, name, path, files, found) => {
    expect(findProgram(name, path, windows(files))).toBe(found)
  })

  it('is sought in the system folders if it is not on PATH', () => {
    expect(absoluteFolders(undefined, windows([]))).toBe(String.raw`C:\WINDOWS\System32;C:\WINDOWS`)
    expect(absoluteFolders('', windows([], {}))).toBe(String.raw`C:\Windows\System32;C:\Windows`)
  })

  it('is started by its full path if it belongs to Windows, whatever the current folder contains', () => {
    expect(windowsProgram('taskkill.exe', { SystemRoot: 'D:\\W' })).toBe(String.raw`D:\W\System32\taskkill.exe`)
    expect(windowsProgram('taskkill.exe', { SystemRoot: 'here' })).toBe(String.raw`C:\Windows\System32\taskkill.exe`)
  })
})

describe('the shell on Windows', () => {
  it.each<[string, string | undefined, readonly string[], string, boolean, readonly string[]]>([
    ['is cmd.exe, which gets the line unquoted', undefined, [CMD], CMD, true, ['/d', '/s', '/c', '"dir "a b" & echo 1"']],
    ['may be PowerShell', 'pwsh', ['C:\\p\\pwsh.exe'], 'C:\\p\\pwsh.exe', false, ['-Command', 'dir "a b" & echo 1']],
    ['may be the bash of git', 'C:\\git\\bash.exe', ['C:\\git\\bash.exe'], 'C:\\git\\bash.exe', false, ['-c', 'dir "a b" & echo 1']],
  ])('%s', (_title, chosen, files, file, verbatim, args) => {
    const shell = findShell(chosen, 'C:\\p', windows(files))
    expect([shell.file, shell.verbatim]).toEqual([file, verbatim])
    expect(shell.argumentsFor('dir "a b" & echo 1').slice(-args.length)).toEqual(args)
  })

  it('refuses a command of more than one line, because cmd.exe would run only the first', () => {
    const shell = findShell(undefined, undefined, windows([CMD]))
    expect(() => shell.argumentsFor('echo 1\necho 2')).toThrow(/several lines; nothing was run/u)
    expect(shell.argumentsFor('echo 1\r\n').at(-1)).toBe('"echo 1"')
  })

  it('if no shell is found, the error lists the programs that were tried', () => {
    expect(() => findShell(undefined, undefined, windows([]))).toThrow(
      /cmd\.exe was not found \(looked for in C:\\WINDOWS\\System32\\cmd\.exe\)/u,
    )
  })
})

describe('variables on Windows', () => {
  const ours = { GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_EDITOR: 'false', TERM: 'dumb' }

  it('are case-insensitive: the caller’s value replaces any duplicate', () => {
    const made = commandEnvironment({ Path: 'C:\\a', Term: 'x' }, { policy: 'inherit_core' }, { PATH: 'C:\\b' }, 'win32')
    expect(made).toEqual({ ...ours, PATH: 'C:\\b' })
    expect(pathIn({ Path: 'C:\\a' })).toBe('C:\\a')
  })

  it('are passed even by the strictest policy if every program needs them', () => {
    const parent = { Path: 'C:\\a', SystemRoot: 'C:\\W', ComSpec: 'c', PATHEXT: '.EXE', USERPROFILE: 'C:\\u' }
    expect(Object.keys(commandEnvironment(parent, { policy: 'inherit_none' }, {}, 'win32')).toSorted()).toEqual(
      ['Path', 'SystemRoot', 'ComSpec', 'PATHEXT', ...Object.keys(ours)].toSorted(),
    )
  })
})
