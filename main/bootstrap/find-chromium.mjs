import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Machine what the search depends on
 * @property {string} platform
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {string} home
 * @property {(file: string) => boolean} exists
 */

/** Program names, preferred ones first. */
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'brave-browser',
  'vivaldi',
]

const MAC_APPLICATIONS = ['Chromium', 'Google Chrome', 'Microsoft Edge', 'Brave Browser', 'Vivaldi']

const WINDOWS_PROGRAMS = [
  ['Chromium', 'Application', 'chrome.exe'],
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
  ['BraveSoftware', 'Brave-Browser', 'Application', 'brave.exe'],
]

/** Folders on Linux that are searched in addition to PATH. */
const LINUX_FOLDERS = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/google/chrome',
  '/opt/microsoft/msedge',
  '/var/lib/flatpak/exports/bin',
]

/**
 * The Chromium-family browsers on this machine, best first: only `CHROMIUM_PATH` if that is set, else those on PATH and in
 * the platform's usual folders.
 * @param {Machine} machine
 * @returns {string[]}
 */
export function findChromiums(machine) {
  const { env, exists } = machine
  const candidates = env.CHROMIUM_PATH ? [env.CHROMIUM_PATH] : [...onPath(machine), ...usualPlaces(machine)]
  return [...new Set(candidates)].filter((file) => exists(file))
}

/**
 * @param {Machine} machine
 * @returns {string[]}
 */
function onPath({ platform, env }) {
  const folders = (env.PATH ?? env.Path ?? '').split(platform === 'win32' ? ';' : ':').filter((folder) => folder !== '')
  const suffix = platform === 'win32' ? '.exe' : ''
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name + suffix)))
}

/**
 * @param {Machine} machine
 * @returns {string[]}
 */
function usualPlaces({ platform, env, home }) {
  if (platform === 'darwin') {
    return MAC_APPLICATIONS.flatMap((name) =>
      ['/Applications', join(home, 'Applications')].map((folder) => join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
    )
  }
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((folder) => folder !== undefined)
    return WINDOWS_PROGRAMS.flatMap((parts) => folders.map((folder) => join(folder, ...parts)))
  }
  return NAMES.flatMap((name) => LINUX_FOLDERS.map((folder) => join(folder, name)))
}

/** @returns {Machine} */
export function thisMachine() {
  return { platform: process.platform, env: process.env, home: process.env.HOME ?? process.env.USERPROFILE ?? '', exists: existsSync }
}
