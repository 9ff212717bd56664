import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DoctorReport } from '../../../shared/api/doctor.ts'

const REPORT = 'doctor.json'
const WANTED = 'doctor-wanted'

/** Requests a check at the next launch of the desk, because a process has ended without closing its store. Never throws. */
export function wantCheck(dataFolder: string): void {
  try {
    writeFileSync(join(dataFolder, WANTED), '', { mode: 0o600 })
  } catch {
    // If this fails, the user can still start the check by hand.
  }
}

/**
 * Whether a check is due, because this version has not made one yet, or because a process has ended without closing its store since the
 * last check.
 */
export function isCheckDue(dataFolder: string, version: string): boolean {
  return existsSync(join(dataFolder, WANTED)) || lastReport(dataFolder)?.version !== version
}

/** Null if there is no report or it cannot be read. */
export function lastReport(dataFolder: string): DoctorReport | null {
  try {
    const report = JSON.parse(readFileSync(join(dataFolder, REPORT), 'utf8')) as DoctorReport
    return Array.isArray(report.findings) && Array.isArray(report.unreadable) ? report : null
  } catch {
    return null
  }
}

/** Stores a report for the next launch. If the folder cannot be written, no report is stored and the data is checked again. */
export function keepReport(dataFolder: string, report: DoctorReport): void {
  try {
    writeFileSync(join(dataFolder, REPORT), JSON.stringify(report), { mode: 0o600 })
    rmSync(join(dataFolder, WANTED), { force: true })
  } catch {
    // The data is checked again at the next launch.
  }
}
