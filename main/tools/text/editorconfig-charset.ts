import { dirname, posix, relative } from 'node:path'
import { fitsIgnoreLine } from '../../environment/search/ignore/ignore-rule.ts'
import { expandBraces } from '../../environment/search/glob/expand-braces.ts'
import type { PathFacts } from '../../agent/ports/tool.ts'
import { decodeOldText, isKeptByEncoding } from '../../../shared/encodings/old-encoding.ts'
import { type Encoding, type TextForm, textFormInSlices } from './encoding.ts'

/** Maximum size in bytes of an `.editorconfig` that is read. */
const MAX_BYTES = 64 * 1024

/** The values of `charset`. `latin1` means what all programs read it as. */
const FORMS: Readonly<Record<string, TextForm>> = {
  latin1: { encoding: 'windows-1252', bom: 0 },
  'utf-8': { encoding: 'utf-8', bom: 0 },
  'utf-8-bom': { encoding: 'utf-8', bom: 3 },
  'utf-16le': { encoding: 'utf-16le', bom: 2 },
  'utf-16be': { encoding: 'utf-16be', bom: 2 },
}

/** Reads a file of the project. Null or a rejection if it cannot be read. */
export type ReadSmallFile = (path: string, options: { readonly maxBytes: number }) => Promise<Uint8Array | null>

/**
 * The form that the project's `.editorconfig` files give a file with their `charset`. Null if they say nothing about it, or if the file is
 * outside the project.
 */
async function configuredForm({ path, shown, outside }: PathFacts, read: ReadSmallFile): Promise<TextForm | null> {
  if (outside) return null
  let folder = path
  // The short path of a file in the project begins at the project's folder.
  for (const _ of shown.split('/')) {
    folder = dirname(folder)
    const bytes = await read(posix.join(folder, '.editorconfig'), { maxBytes: MAX_BYTES }).catch(() => null)
    const { charset, isRoot } = settingsFor(bytes === null ? '' : new TextDecoder().decode(bytes), relative(folder, path))
    if (charset !== null) return Object.hasOwn(FORMS, charset) ? (FORMS[charset] ?? null) : null
    if (isRoot) return null
  }
  return null
}

function settingsFor(text: string, path: string): { readonly charset: string | null; readonly isRoot: boolean } {
  let charset: string | null = null
  let isRoot = false
  let fits: boolean | null = null
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    const section = /^\[(.+)\]$/u.exec(line)?.[1]
    if (section !== undefined) fits = fitsSection(section, path)
    const [, name, value = ''] = /^([\w-]+)\s*[=:]\s*(\S+)/u.exec(line) ?? []
    if (fits === null && name?.toLowerCase() === 'root') isRoot = value.toLowerCase() === 'true'
    // The last section that fits decides.
    if (fits === true && name?.toLowerCase() === 'charset') charset = value.toLowerCase()
  }
  return { charset, isRoot }
}

/** A section without a slash fits files in all folders, like a line of a `.gitignore`. Its braces stand for several patterns. */
function fitsSection(section: string, path: string): boolean {
  const globs = expandBraces(section)
  return globs.ok && globs.value.some((glob) => fitsIgnoreLine(glob.replace(/^(?=[!#])/u, '\\'), path))
}

interface PlacedBytes {
  readonly bytes: Uint8Array
  readonly place: PathFacts
}

/**
 * The form of a file. If its bytes do not tell, the project's settings do, provided that the bytes are valid in that form and stay the same
 * when they are written again. Null if the file is binary.
 */
export async function formOfFile({ bytes, place }: PlacedBytes, read: ReadSmallFile): Promise<TextForm | null> {
  const detected = await textFormInSlices(bytes)
  if (detected !== null && detected.encoding !== 'unknown') return detected
  const configured = await configuredForm(place, read)
  return configured !== null && isKeptBy(bytes, configured.encoding) ? { ...configured, bom: 0 } : detected
}

/** The form in which a file is written if it is new, or if its own bytes do not tell their encoding. Null if nothing says so. */
export async function wantedForm(
  { bytes, place }: { readonly bytes: Uint8Array | null; readonly place: PathFacts },
  read: ReadSmallFile,
): Promise<TextForm | null> {
  return bytes === null || bytes.length === 0 ? configuredForm(place, read) : formOfFile({ bytes, place }, read)
}

function isKeptBy(bytes: Uint8Array, encoding: Encoding): boolean {
  if (encoding === 'windows-1252') return isKeptByEncoding(bytes, decodeOldText(bytes, encoding) ?? '', encoding)
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return false
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return bytes.length % 2 === 0 && !CONTROLS.test(text)
  } catch {
    return false
  }
}

/** Control characters that no text contains. */
const CONTROLS = /[\0-\x08\x0e-\x1f]/u
