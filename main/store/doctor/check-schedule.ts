import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DoctorReport } from '../../../shared/api/doctor.ts'

const REPORT = 'doctor.json'
const WANTED = 'doctor-wanted'

/** Asks for a check at the next start of the desk, because a process has ended without closing its store. Never throws. */
export function wantCheck(dataFolder: string): void {
  try {
    writeFileSync(join(dataFolder, WANTED), '', { mode: 0o600 })
  } catch {
    // The check can be started by hand.
  }
}

/** Whether a check is due: none was made by this version, or a process has ended without closing its store since the last one. */
export function isCheckDue(dataFolder: string, version: string): boolean {
  return existsSync(join(dataFolder, WANTED)) || lastReport(dataFolder)?.version !== version
}

/** Null: there is none, or it cannot be read. */
export function lastReport(dataFolder: string): DoctorReport | null {
  try {
    const report = JSON.parse(readFileSync(join(dataFolder, REPORT), 'utf8')) as DoctorReport
    return Array.isArray(report.findings) && Array.isArray(report.unreadable) ? report : null
  } catch {
    return null
  }
}

/** Keeps a report for the next start. A folder that cannot be written keeps none, and is checked again. */
export function keepReport(dataFolder: string, report: DoctorReport): void {
  try {
    writeFileSync(join(dataFolder, REPORT), JSON.stringify(report), { mode: 0o600 })
    rmSync(join(dataFolder, WANTED), { force: true })
  } catch {
    // See above.
  }
}
