import { decodeUtf8 } from '../../../shared/lib/decode-utf8.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { SessionConfig } from '../../../shared/session/settings/session-config.ts'
import { type NotGiven, readUserChosenFile } from '../../environment/files/user-chosen-file.ts'
import { MAX_PICTURE_BYTES, type Picture } from '../../../shared/session/content.ts'
import { pictureTooLarge } from '../../sessions/attached-pictures.ts'
import type { Pictures } from '../../sessions/attached-pictures.ts'

/** Maximum size of the instructions file in bytes: more than the longest allowed text. */
const MAX_FILE_BYTES = 400_000

/** The text of the `--instructions` file (an absolute path). Null without the option. A failure is a line for standard error. */
export async function givenInstructions(path: string | null): Promise<Result<string | null, string>> {
  if (path === null) return ok(null)
  const wrong = (why: string) => failed(`--instructions ${path}: ${why}.`)
  const read = await readUserChosenFile(path, MAX_FILE_BYTES)
  if (!read.ok) return wrong(read.failure.kind === 'unread' ? `the file could not be read: ${read.failure.why}` : TOO_LONG)
  const text = decodeUtf8(read.value)
  if (text === null) return wrong('it is not UTF-8 text')
  if (text.trim() === '') return wrong('it is empty')
  return SessionConfig.shape.userInstruction.safeParse(text).success ? ok(text) : wrong(TOO_LONG)
}

const TOO_LONG = 'it is longer than 100,000 characters'

/** Stores the pictures given by `--image`. A failure is a line for standard error, with exit code 2. */
export async function givenPictures(paths: readonly string[], pictures: Pictures): Promise<Result<readonly Picture[], string>> {
  const kept: Picture[] = []
  for (const path of paths) {
    const read = await readUserChosenFile(path, MAX_PICTURE_BYTES)
    if (!read.ok) return failed(`--image ${path}: ${words(read.failure)}`)
    const picture = pictures.keep(read.value)
    if (!picture.ok) return failed(`--image ${path}: ${picture.failure.what} ${picture.failure.todo}`)
    kept.push(picture.value)
  }
  return ok(kept)
}

function words(failure: NotGiven): string {
  if (failure.kind === 'unread')
    return `The picture could not be read: ${failure.why}. Name a PNG, JPEG, GIF or WebP file that can be read.`
  const { what, todo } = pictureTooLarge(failure.bytes)
  return `${what} ${todo}`
}
