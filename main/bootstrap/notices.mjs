import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readJson } from './files.mjs'

/** @typedef {{ readonly name: string, readonly version: string, readonly license: string, readonly text: string }} Notice */
/** @typedef {{ readonly modules?: Readonly<Record<string, { readonly renderedLength: number } | undefined>>, readonly originalFileNames?: readonly string[] }} BundledFile */

/** Each built part lists the licenses of its packages in this file. */
const NOTICES = 'notices.json'

/**
 * Writes the licenses of the packages that are really bundled: their code, style sheets or fonts. One instance serves all bundles of a
 * part, so the last bundle writes the complete list.
 * @param {string} root folder to which the names of assets are relative
 */
export function noticesPlugin(root) {
  /** @type {Set<string>} */
  const folders = new Set()
  let from = root
  return {
    name: 'countersign-notices',
    /**
     * Vite can be started with a different root than the one in its configuration.
     * @param {{ readonly root: string }} config
     */
    configResolved(config) {
      from = config.root
    },
    /**
     * @param {unknown} _options
     * @param {Readonly<Record<string, BundledFile>>} bundle
     */
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        for (const source of sourcesOf(file)) {
          const folder = packageFolder(resolve(from, source))
          if (folder !== null) folders.add(folder)
        }
      }
    },
    /** @param {{ readonly dir?: string }} options */
    writeBundle({ dir = '' }) {
      writeFileSync(join(dir, NOTICES), `${JSON.stringify([...folders].map(noticeOf), null, 1)}\n`)
    },
  }
}

/**
 * The packages outside the bundles, with the licenses that come with them. ripgrep's programs are in one package for each platform.
 * @param {string} root
 */
export function packedPackages(root) {
  const packages = join(root, 'node_modules')
  const ripgrep = readdirSync(join(packages, '@vscode')).filter((name) => name.startsWith('ripgrep'))
  const names = ['electron', 'better-sqlite3', 'node-pty', ...ripgrep.map((name) => `@vscode/${name}`)]
  return names.map((name) => join(packages, name)).filter((folder) => existsSync(folder))
}

/**
 * A style sheet leaves no code in its chunk.
 * @param {BundledFile} file
 */
function sourcesOf({ modules = {}, originalFileNames = [] }) {
  const used = Object.entries(modules).filter(([id, module]) => (module?.renderedLength ?? 0) > 0 || /\.css(?:\?|$)/.test(id))
  return [...used.map(([id]) => id), ...originalFileNames]
}

/**
 * The folder of the package that a file belongs to. Null if the file is ours.
 * @param {string} file
 */
function packageFolder(file) {
  return /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file)?.[1] ?? null
}

/**
 * Writes the licenses of these built parts as one text, each package once and in the order of their names.
 * @param {readonly string[]} parts the parts' folders
 * @param {readonly string[]} packed the folders of packages that are packed beside the bundles
 * @param {string} target
 */
export function writeNotices(parts, packed, target) {
  /** @type {Map<string, Notice>} */
  const notices = new Map()
  for (const part of parts) {
    /** @type {readonly Notice[] | null} */
    const bundled = readJson(join(part, NOTICES))
    for (const notice of bundled ?? []) notices.set(`${notice.name} ${notice.version}`, notice)
  }
  for (const notice of packed.map(noticeOf)) notices.set(`${notice.name} ${notice.version}`, notice)
  const texts = [...notices]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([title, { license, text }]) => `${title}\n${license}\n\n${text}\n`)
  writeFileSync(
    target,
    [`Countersign contains these ${texts.length} packages of other authors.\n`, ...texts].join(`\n${'-'.repeat(80)}\n\n`),
  )
}

/**
 * @param {string} folder
 * @returns {Notice}
 */
function noticeOf(folder) {
  /** @type {{ readonly name: string, readonly version: string, readonly license?: string, readonly author?: string | { readonly name: string } } | null} */
  const manifest = readJson(join(folder, 'package.json'))
  if (manifest === null) throw new Error(`${folder} has no package.json that can be read`)
  const { name, version, license = 'License in its text', author } = manifest
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice|ofl)/i.test(file) && !/\.(?:js|ts|json)$/.test(file))
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length > 0) return { name, version, license, text: texts.join('\n\n') }
  const owner = typeof author === 'object' ? author.name : author
  return {
    name,
    version,
    license,
    text: owner === undefined ? 'The package comes without a license text.' : `By ${owner}. The package comes without a license text.`,
  }
}
