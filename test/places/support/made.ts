import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder. */
export const newFolder = (name: string): string => realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)))

const run = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd, encoding: 'utf8' }).trim()

/** A repository with a commit, and with uncommitted changes of every kind. */
export function changedRepository(): { readonly folder: string; readonly git: (...args: readonly string[]) => string } {
  const folder = newFolder('shop')
  const git = (...args: readonly string[]): string => run(folder, ...args)
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  git('init', '--quiet', '--initial-branch', 'trunk')
  git('remote', 'add', 'origin', 'https://ada:secret@example.org/shop.git')
  write('.gitignore', '*.log\n')
  write('a.txt', 'hello\n')
  write('gone.txt', 'gone\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'first')
  write('a.txt', 'hello\nchanged\n')
  write('new.txt', 'new\n')
  write('ignored.log', 'ignored\n')
  git('rm', '--quiet', 'gone.txt')
  return { folder, git }
}
