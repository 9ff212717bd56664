import { app } from 'electron'
import { readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { SecondStart } from './deep-link.ts'

/** `elsewhere`: the data folder is in use on another computer, or is left over from there. */
export type InstanceLock = { readonly kind: 'taken' } | { readonly kind: 'running' } | { readonly kind: 'elsewhere'; readonly host: string }

/** Chromium's files in the profile folder. The lock is a link whose target is `HOST-PID`. Windows has none of them. */
const LOCK = 'SingletonLock'
const LOCK_FILES = [LOCK, 'SingletonSocket', 'SingletonCookie']

/**
 * Takes the lock of this profile folder, or hands `asked` to the instance that has it. A lock that a killed instance of this computer left
 * behind is removed first, because Electron would otherwise end without a word.
 */
export function takeInstanceLock(profile: string, asked: SecondStart): InstanceLock {
  if (app.requestSingleInstanceLock(asked)) return { kind: 'taken' }
  const owner = ownerOf(profile)
  if (owner === null) return { kind: 'running' }
  if (owner.host !== hostname()) return { kind: 'elsewhere', host: owner.host }
  if (isAlive(owner.pid)) return { kind: 'running' }
  for (const name of LOCK_FILES) rmSync(join(profile, name), { force: true })
  return { kind: app.requestSingleInstanceLock(asked) ? 'taken' : 'running' }
}

function ownerOf(profile: string): { readonly host: string; readonly pid: number } | null {
  try {
    const target = readlinkSync(join(profile, LOCK))
    const [, host, pid] = /^(.+)-(\d+)$/.exec(target) ?? []
    return host === undefined ? null : { host, pid: Number(pid) }
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { readonly code?: string }).code === 'EPERM'
  }
}
