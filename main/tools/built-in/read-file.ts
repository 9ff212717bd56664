import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { listedNames } from '../../../shared/lib/short-count.ts'
import { failure } from '../../agent/tool-output.ts'
import { basename, join } from 'node:path'
import type { ReadEffect } from '../../../shared/session/effects.ts'
import {
  ReadFileDetails,
  type ReadFileInput,
  readFileSpec,
  type ReadManyDetails,
  type ReadManyFilesInput,
  readManyFilesSpec,
} from '../../../shared/tools/built-in/read-file.ts'
import { mayHoldSecrets } from '../../approval/command-line/known-places.ts'
import { parsedAs } from '../../../shared/tools/spec/tool-spec.ts'
import type { PathFacts, PrepareContext, Prepared, RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'
import { doesNotExist, lookalike } from '../files/near-names.ts'
import { fileForModel, largeTextForModel, largeTextReader } from '../files/file-for-model.ts'
import { fileFailure, leadsElsewhere, locate, rejected, shownPath } from '../define/tool-path.ts'
import { globStart } from '../search/glob-start.ts'
import { withLiteralNames } from '../search/literal-names.ts'
import { differInFormOnly, existingPath } from '../define/existing-name.ts'
import { limitsOf } from '../truncation/truncation-limits.ts'

/** Reads inside the project have no effects. Outside it, and of files that may hold secrets, the read itself is the effect. */
export function createReadFileTool(): Tool {
  return defineTool(readFileSpec, async (input, context) => {
    const place = await locate(context, input.file_path)
    if (!place.ok) return rejected(place.failure)
    const commit = async (run: RunContext): Promise<ToolOutput> => {
      const found = await readForModel(place.value, input, run)
      if (!('place' in found)) return found
      const { shown } = found
      const isAsGiven = found.place === place.value && !differInFormOnly(basename(found.place.path), basename(input.file_path))
      return isAsGiven ? shown : withItsName(shown, found.place)
    }
    return { kind: 'ready', effects: readEffects([place.value]), commit }
  })
}

/** A file as the model sees it, or the failed result of the call. A large text is read in pieces. */
async function readForModel(
  asked: PathFacts,
  input: Pick<ReadFileInput, 'offset' | 'limit'>,
  run: RunContext,
): Promise<{ readonly shown: ToolOutput; readonly place: PathFacts } | ToolOutput> {
  const reader = largeTextReader(asked, input)
  const found = await bytesToRead(asked, run, reader?.take)
  if (!('bytes' in found)) return found
  const { place } = found
  if (!reader?.isUsed()) return { shown: await fileForModel(found.bytes, place, input, run), place }
  const text = reader.end()
  if (text) return { shown: await largeTextForModel(text, place, input, run), place }
  const whole = await bytesToRead(place, run)
  return 'bytes' in whole ? { shown: await fileForModel(whole.bytes, place, input, run), place } : whole
}

/** The effects of reads: only those outside the project, and of files that may hold secrets. */
export function readEffects(places: readonly PathFacts[]): readonly ReadEffect[] {
  return places.filter(({ outside, shown }) => outside || mayHoldSecrets(shown)).map((place) => ({ kind: 'read', ...place }))
}

/** The bytes of a file and where it is. */
export interface Found {
  readonly bytes: Uint8Array
  readonly place: PathFacts
}

/**
 * The bytes of a file, or the failed result of the call. The place differs from the requested one if only a file with a similar-looking
 * name exists. If `take` gets the bytes of a large file, they are not in the result.
 */
export async function bytesToRead(place: PathFacts, run: RunContext, take?: (piece: Uint8Array) => void): Promise<Found | ToolOutput> {
  try {
    const moved = await leadsElsewhere(run, place)
    if (moved) return moved
    return { bytes: await run.env.readBytes(place.path, { signal: run.signal, real: true, ...(take && { take }) }), place }
  } catch (error) {
    run.signal.throwIfAborted()
    const meant = fileFailure(error).code === 'ENOENT' ? await lookalike(run.env, place) : null
    return meant ? bytesToRead(meant, run, take) : failure(await whyNot(error, place, run))
  }
}

function withItsName(read: ToolOutput, { shown }: PathFacts): ToolOutput {
  return typeof read.output === 'string' ? { ...read, output: `${read.output}\n(The file is called ${shownPath(shown)}.)` } : read
}

async function whyNot(error: unknown, place: PathFacts, run: RunContext): Promise<ReasonText> {
  const { code, message } = fileFailure(error)
  const shown = shownPath(place.shown)
  switch (code) {
    case 'ENOENT':
      return doesNotExist(run.env, place, 'Search for the file by name.')
    case 'EISDIR':
      return reason`${shown} is a folder, not a file. ${modelOnly('List its files first.')}`
    case 'EFBIG':
      return reason`${message} ${modelOnly('Search it for what you need, or show a part of it with a command such as head or sed.')}`
    default:
      return message
  }
}

/**
 * Maximum number of files that are read for one glob, and of matches that are considered. Third-party files are left out unless the glob
 * mentions them.
 */
const MAX_MATCHES = 100
const MAX_LOOKED_AT = 10_000
const OF_OTHERS = 'node_modules'
/** Maximum number of unread files that are listed. */
const MAX_NAMED = 30
/** Number of characters that are reserved for the list of unread files. */
const ROOM_FOR_NAMES = 4000

export function createReadManyFilesTool(): Tool {
  return defineTool(readManyFilesSpec, prepare)
}

async function prepare({ paths }: ReadManyFilesInput, context: PrepareContext): Promise<Prepared> {
  const places: PathFacts[] = []
  const cut: string[] = []
  const secret = new Set<string>()
  for (const path of paths) {
    const found = await namedBy(path, context)
    if (!found.ok) return rejected(found.failure)
    places.push(...found.value.places)
    if (found.value.isCut) cut.push(shownPath(path))
    for (const name of found.value.secret) secret.add(shownPath(name))
  }
  const distinct = [...new Map(places.map((place) => [place.path, place])).values()]
  const notRead = secret.size > 0 ? [withoutSecrets([...secret].toSorted())] : []
  if (distinct.length === 0) return rejected(['No file matches.', ...notRead].join(' '))
  return { kind: 'ready', effects: readEffects(distinct), commit: (run) => readAll(distinct, { cut, notRead }, run) }
}

interface Named {
  readonly places: readonly PathFacts[]
  /** Whether the glob matches more than `MAX_MATCHES` files. */
  readonly isCut: boolean
  /** Files that the glob matches and that are left out, because they may hold secrets. */
  readonly secret: readonly string[]
}

/** Expands globs to the matching files in the working directory. Other paths are not changed. */
async function namedBy(path: string, context: PrepareContext): Promise<Result<Named, ReasonText>> {
  const { env, signal } = context
  if (!/[*?[{]/u.test(path) || (await env.fileExists(await existingPath(env, path)))) {
    const place = await locate(context, path)
    return place.ok ? ok({ places: [place.value], isCut: false, secret: [] }) : place
  }
  const start = globStart(path)
  const folder = start && (await locate(context, start.folder ?? env.workingDirectory()))
  if (!start || !folder)
    return failed(
      reason`${shownPath(path)} contains ".." after a wildcard. ${modelOnly('Name the folder first, then the wildcards below it.')}`,
    )
  if (!folder.ok) return folder
  if (folder.value.outside)
    return failed(reason`${shownPath(path)}: a glob cannot leave the working directory. ${modelOnly('Name files outside it one by one.')}`)
  try {
    const { paths } = await env.glob(await withLiteralNames(start.pattern, folder.value.path, env), folder.value.path, {
      maxResults: MAX_LOOKED_AT,
      signal,
    })
    const open = mayHoldSecrets(path) ? paths : paths.filter((found) => !mayHoldSecrets(found))
    const own = path.includes(OF_OTHERS) ? open : open.filter((found) => !found.split('/').includes(OF_OTHERS))
    const newest = own.slice(0, MAX_MATCHES).toSorted()
    const places = await Promise.all(newest.map((found) => locate(context, join(folder.value.path, found))))
    const secret = paths.filter((found) => !open.includes(found))
    return ok({ places: places.flatMap((place) => (place.ok ? [place.value] : [])), isCut: own.length > MAX_MATCHES, secret })
  } catch (error) {
    signal.throwIfAborted()
    return failed(fileFailure(error).message)
  }
}

const withoutSecrets = (names: readonly string[]): string =>
  `Not read, because they may hold secrets: ${listedNames(names, MAX_NAMED)}. Name one to ask for it.`

async function readAll(
  places: readonly PathFacts[],
  { cut, notRead }: { readonly cut: readonly string[]; readonly notRead: readonly string[] },
  run: RunContext,
): Promise<ToolOutput> {
  const room = limitsOf(readManyFilesSpec.name).chars - ROOM_FOR_NAMES
  const texts: string[] = []
  const read: string[] = []
  const left: string[] = []
  const unread: string[] = []
  const sections: NonNullable<ReadManyDetails['sections']> = []
  let chars = 0
  for (const place of places) {
    run.signal.throwIfAborted()
    const shown = shownPath(place.shown)
    const found = await shownText(place, room - chars, run)
    if (found === null) left.push(shown)
    else {
      const name = shownPath(found.shown)
      texts.push(`--- ${name} ---\n${found.text}`)
      ;(found.isRead ? read : unread).push(name)
      sections.push({ path: name, lines: found.text.split('\n').length, numbered: found.numbered })
      chars += found.text.length + name.length + 10
    }
  }
  const notes = [
    ...(left.length > 0
      ? [`Not shown, because they do not fit or are not text: ${listedNames(left, MAX_NAMED)}. Read them one by one.`]
      : []),
    ...notRead,
    ...cut.map(
      (glob) => `${glob} matches more files; only the newest ${MAX_MATCHES} were considered. Use a narrower pattern for the others.`,
    ),
  ]
  return {
    output: [...texts, ...notes].join('\n'),
    isError: read.length === 0,
    details: { read, left: [...left, ...unread], sections } satisfies ReadManyDetails,
  }
}

interface ShownText {
  readonly shown: string
  readonly text: string
  readonly isRead: boolean
  /** Number of lines at the beginning of the text that are lines of the file. */
  readonly numbered: number
}

/**
 * The text of a file, or in parentheses the reason why it cannot be read. Null if it is not text or does not fit. Only the shown part
 * counts as seen.
 */
async function shownText(named: PathFacts, room: number, run: RunContext): Promise<ShownText | null> {
  const found = await bytesToRead(named, run)
  if (!('bytes' in found)) {
    return typeof found.output === 'string' ? { shown: named.shown, text: `(${found.output})`, isRead: false, numbered: 0 } : null
  }
  const saw: Parameters<RunContext['saw']>[] = []
  const noting: RunContext = {
    ...run,
    saw: (...seen) => {
      saw.push(seen)
      return '' as ReturnType<RunContext['saw']>
    },
  }
  const shown = await fileForModel(found.bytes, found.place, {}, noting)
  if (shown.isError || typeof shown.output !== 'string' || shown.output.length > room) return null
  for (const seen of saw) run.saw(...seen)
  return { shown: found.place.shown, text: shown.output, isRead: true, numbered: parsedAs(ReadFileDetails, shown.details)?.lines ?? 0 }
}
