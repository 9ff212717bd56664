import { delimiter, dirname, join, resolve } from 'node:path'

/** Countersign's own variables, including the command markers of an outer instance. */
const OWN = /^(?:COUNTERSIGN_.*|ELECTRON_RUN_AS_NODE|ELECTRON_NO_ASAR|CHROME_DESKTOP|ORIGINAL_XDG_CURRENT_DESKTOP)$/i
/** Variables that npm adds for a script that it runs. */
const NPM = /^(?:npm_.*|INIT_CWD|NODE|COLOR)$/i
/**
 * npm sets EDITOR to one of these if the user has set no editor. They can be dropped, because programs that look for an editor have the
 * same default.
 */
const NPM_EDITOR = /^(?:vi|notepad\.exe)$/iu

/**
 * The parent's variables as the user's own shell has them. Left out are Countersign's own variables, and what an AppImage or `npm start`
 * added: `npm_*` variables and Countersign's `node_modules/.bin` folders on PATH. An empty PATH is dropped, so that a shell uses its
 * default.
 */
export function cleanVariables(parent: NodeJS.ProcessEnv): Record<string, string> {
  const byNpm = parent['npm_lifecycle_event'] !== undefined || parent['npm_execpath'] !== undefined
  const clean: Record<string, string> = {}
  for (const [name, value] of Object.entries(withoutAppImage(parent))) {
    if (value === undefined || OWN.test(name) || (byNpm && isOfNpm(name, value))) continue
    if (name.toUpperCase() !== 'PATH') clean[name] = value
    else if (cleanPath(value) !== '') clean[name] = cleanPath(value)
  }
  return clean
}

/** Variables that an AppImage sets for its own program. */
const OF_APP_IMAGE: ReadonlySet<string> = new Set(['APPIMAGE', 'APPDIR', 'ARGV0', 'OWD'])

/** Without the folders that an AppImage adds to lists such as PATH. They are gone as soon as the app ends. */
function withoutAppImage(parent: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { APPIMAGE: image, APPDIR: mount } = parent
  if (!image || !mount) return parent
  const isInside = (entry: string): boolean => entry === mount || entry.startsWith(`${mount}/`)
  const person: NodeJS.ProcessEnv = {}
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined || OF_APP_IMAGE.has(name)) continue
    const entries = value.split(':')
    const kept = entries.filter((entry) => !isInside(entry))
    if (kept.length === entries.length) person[name] = value
    else if (kept.length > 0) person[name] = kept.join(':')
  }
  return person
}

const isOfNpm = (name: string, value: string): boolean => NPM.test(name) || (name === 'EDITOR' && NPM_EDITOR.test(value))

function cleanPath(path: string): string {
  return path
    .split(delimiter)
    .filter((entry) => !OWN_BIN_FOLDERS.has(resolve(entry)) && !entry.replaceAll('\\', '/').endsWith('/node-gyp-bin'))
    .join(delimiter)
}

/** npm adds to PATH the `node_modules/.bin` of its own folder and of every folder above it. */
const OWN_BIN_FOLDERS: ReadonlySet<string> = new Set(binFoldersAbove(import.meta.dirname))

function* binFoldersAbove(folder: string): Iterable<string> {
  yield join(folder, 'node_modules', '.bin')
  if (dirname(folder) !== folder) yield* binFoldersAbove(dirname(folder))
}
